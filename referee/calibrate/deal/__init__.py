"""The table from the cards of a fresh deal: cards found, their plane, the rows they lie in, whose they are."""
