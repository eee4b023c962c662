"""From pictures of the table to readings of its zones."""
