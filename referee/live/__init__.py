"""At the table: frames and key presses come in, rulings are shown, said and kept, until somebody ends the game.

`game` decides what happens and knows neither window nor clock; `loop` brings it together with the camera, the window
and the voice. Here, above the session, threads are allowed: those that wait for pictures.
"""
