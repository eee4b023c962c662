"""Noticing that the camera or the table moved, and finding the table anew."""
