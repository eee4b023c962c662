"""Training the card reader: decks as pictures, drawn crops, photographs, the network, and what measures the result.

Nothing here is needed to watch a table; it belongs to the ``train`` extra.
"""
