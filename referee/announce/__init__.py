"""Saying what the referee sees: phrases in four languages, a queue of what to say next, and a process that speaks.

``telling.announcements`` makes announcements of rulings and of what happens in a game, ``announcer.Announcer`` says
them without ever holding anything up, and ``voice.probe`` tells whether this machine can speak. Nothing is imported
here, because the speaking process starts with this package and has to be quick about it.
"""
