"""The subcommands of ``referee``, one module a family.

Each module offers ``add(commands)``, which declares its parsers and sets ``run`` to a function that takes the parsed
arguments and returns the exit code. Nothing heavy is imported until that function runs, so that help stays instant.
"""
