"""Stand-ins for the speaking process: command lines that behave as speech libraries do on bad days."""

from __future__ import annotations

import sys
from pathlib import Path

_HEAD = """
import json, os, sys, time
def tell(what, **rest):
    print(json.dumps({"what": what, **rest}), flush=True)
def lines():
    for line in sys.stdin:
        yield json.loads(line)
"""


def python(code: str) -> tuple[str, ...]:
    """A command line that runs ``code``, whose options follow it."""
    return (sys.executable, "-c", _HEAD + code)


def echo(log: Path, seconds: float = 0.02) -> tuple[str, ...]:
    """Says every phrase in ``seconds``, can be stopped, and writes what it began into ``log``."""
    return python(f"""
import select
tell("ready", voice="none")
for order in iter(sys.stdin.readline, ""):
    order = json.loads(order)
    if "say" not in order:
        continue
    with open({str(log)!r}, "a") as file:
        file.write(sys.argv[2] + " " + order["say"] + "\\n")
    tell("started", id=order["id"])
    if select.select([sys.stdin], [], [], {seconds})[0] and sys.stdin.readline():
        with open({str(log)!r}, "a") as file:
            file.write("stopped\\n")
    tell("done", id=order["id"])
""")


def hangs_once(log: Path) -> tuple[str, ...]:
    """The first run never answers to a phrase; later ones say theirs."""
    return python(f"""
first = not os.path.exists({str(log)!r})
with open({str(log)!r}, "a") as file:
    file.write("run\\n")
tell("ready")
for order in lines():
    if first:
        time.sleep(60)
    tell("started", id=order["id"])
    tell("done", id=order["id"])
""")


def dies_once(log: Path) -> tuple[str, ...]:
    """The first run ends in the middle of a phrase; later ones say theirs."""
    return python(f"""
first = not os.path.exists({str(log)!r})
with open({str(log)!r}, "a") as file:
    file.write("run\\n")
tell("ready")
for order in lines():
    if first:
        os._exit(139)
    tell("started", id=order["id"])
    tell("done", id=order["id"])
""")


def dies_always(log: Path) -> tuple[str, ...]:
    """Never gets as far as being ready."""
    return python(f"""
with open({str(log)!r}, "a") as file:
    file.write("run\\n")
os._exit(139)
""")


def has_no_voice() -> tuple[str, ...]:
    """Says that there is no voice and ends."""
    return python('tell("failed", why="no voice: nothing is installed", fatal=True)')


def has_no_device(until: int = 10**6) -> tuple[str, ...]:
    """Says of the first ``until`` phrases that nothing was heard."""
    return python(f"""
tell("ready")
for order in lines():
    if order["id"] <= {until}:
        tell("failed", id=order["id"], why="no sound: there is no sound card")
    else:
        tell("started", id=order["id"])
        tell("done", id=order["id"])
""")


def without(*modules: str, before: str = "") -> tuple[str, ...]:
    """The real speaking process, as if ``modules`` were not installed, after running ``before``."""
    gone = "".join(f"sys.modules[{module!r}] = None\n" for module in modules)
    run = "import runpy, sys\n" + gone + before
    run += "\nsys.argv[0] = 'worker'\nrunpy.run_module('referee.announce.worker', run_name='__main__', alter_sys=False)"
    return (sys.executable, "-c", run)
