"""What is kept of a game: the journal, the film of the table, and what is shown of them when players disagree."""
