"""Training the card reader: card art, rendered crops, and what measures the result.

Nothing here is needed to watch a table; it belongs to the ``train`` extra.
"""
