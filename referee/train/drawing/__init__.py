"""Crops of zones drawn with exact labels: what lies there, the table, hands, light and camera."""
