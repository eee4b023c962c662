"""A referee for the card game Spit that works by sight."""

__version__ = "0.1.0"
