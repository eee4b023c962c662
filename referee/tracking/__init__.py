"""From readings to actions: what was done at the table, worked out from what was seen."""
