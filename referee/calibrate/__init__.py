"""Finding the table in the camera's picture, keeping it, checking it, and noticing that it moved."""
