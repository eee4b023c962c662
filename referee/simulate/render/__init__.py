"""The camera: films a script of the table in three dimensions and writes it as H.264."""
