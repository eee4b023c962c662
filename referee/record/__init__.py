"""What is kept of a game: the journal, the film of the table, and what is shown of them when players disagree.

A game's folder holds

- ``journal.jsonl``: all that was seen and said, a line each (`journal`, `entries`, `wire`);
- ``film-00001.mkv`` and so on: a minute of the table each, and beside each film its ``.index``: for every picture
  its number at the source, its stamp in the film (ms) and the source's own time (s) (`segments`, `recorder`);
- ``table.toml``: where the table lay in the picture;
- ``game.result.jsonl``: the rulings, once the game has come to its end (`result`).
"""
