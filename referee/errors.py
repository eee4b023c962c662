"""The one error a user is shown: a sentence that says what is wrong and what to do."""

from __future__ import annotations


class UserError(Exception):
    """Wrong input or a missing thing outside the program. The command line prints it and exits with code 2."""
