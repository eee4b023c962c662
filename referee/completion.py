"""What can follow on a command line, for shells that complete it: worked out from the parser itself."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

SCRIPTS: Final = {
    "bash": """\
_referee() {
    local IFS=$'\\n'
    COMPREPLY=($(referee completion words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _referee referee
""",
    "zsh": """\
#compdef referee
_referee() {
    local -a found
    found=(${(f)"$(referee completion words "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    if (( $#found )); then
        _describe -V referee "(${(j: :)${(q@)found//$'\\t'/:}})"
    else
        _files
    fi
}
if [[ $funcstack[1] == _referee ]]; then
    _referee "$@"
else
    compdef _referee referee
fi
""",
    "fish": """\
function __referee
    set -l found (referee completion words (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c referee -f -a '(__referee)'
""",
}
"""For each shell the script that asks ``referee completion words`` what can follow."""


# What follows is imported when it is asked for: somebody waits for the answer.


def _tables() -> Sequence[str]:
    from referee.calibrate.tables import table_names

    return table_names()


def _presets() -> Sequence[str]:
    from referee.rules.ruleset import PRESETS

    return tuple(PRESETS)


_VALUES: Final[Mapping[str, Callable[[], Sequence[str]]]] = {
    "lang": lambda: ("en", "pt", "pl", "sv"),
    "speak": lambda: ("all", "faults", "off"),
    "preset": _presets,
    "ruleset": _presets,
    "table": _tables,
    "shell": lambda: tuple(SCRIPTS),
}
"""What arguments may be given that are too free for the parser to know."""


def following(parser: argparse.ArgumentParser, words: Sequence[str]) -> list[tuple[str, str]]:
    """What the last of ``words`` can become, each with its help; nothing where it is the name of a file.

    Args:
        parser: of the whole command line.
        words: after the program's name; the last one is being typed and may be empty.
    """
    *before, typed = words or ("",)
    wanted: argparse.Action | None = None
    for word in before:
        option = parser._option_string_actions.get(word)
        inner = _commands(parser)
        if wanted is None and option is not None:
            wanted = option if option.nargs != 0 else None
        elif wanted is None and inner is not None and word in inner.choices:
            parser = inner.choices[word]
        else:
            wanted = None
    return [(word, told) for word, told in _fitting(parser, wanted, typed) if word.startswith(typed)]


def _fitting(parser: argparse.ArgumentParser, wanted: argparse.Action | None, typed: str) -> Iterator[tuple[str, str]]:
    if wanted is not None:
        yield from _values(wanted)
    elif typed.startswith("-"):
        for action in parser._actions:
            if action.option_strings and action.help != argparse.SUPPRESS:
                yield action.option_strings[-1], action.help or ""
    elif (inner := _commands(parser)) is not None:
        yield from ((one.dest, one.help or "") for one in inner._get_subactions())
    else:
        for action in parser._actions:
            if not action.option_strings:
                yield from _values(action)
                return


def _values(action: argparse.Action) -> Iterator[tuple[str, str]]:
    yield from ((str(value), "") for value in action.choices or _VALUES.get(action.dest, tuple)())


def _commands(parser: argparse.ArgumentParser) -> argparse._SubParsersAction[argparse.ArgumentParser] | None:
    return next((one for one in parser._actions if isinstance(one, argparse._SubParsersAction)), None)
