"""The table from printed markers, and the sheets to print."""
