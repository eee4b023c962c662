"""``referee replay``: referee recordings, faster than they were played."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from referee.errors import UserError

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from referee.report.replaying import Outcome, Setting

EXAMPLES = """\
examples:
  referee replay game.mp4 --corners "154,19 1095,13 1144,673 94,662" --size 900x600
  referee replay game.mp4 --zones table.json --names Ada,Bo --out refereed
  referee replay game.mp4 --table kitchen
  referee replay clips/*.mp4 --zones table.json --ruleset pl --jobs 2
  referee replay games/friday --out again                 a recorded game, from what was seen at the table
  referee replay games/friday --out again --ruleset pl    what another law would have ruled
  referee replay games/friday --out again --reread        its pictures read again, and what differs

Corners are pixels of the picture: top left, top right, bottom right, bottom left of the table, as player A sees it.
Zones are millimetres on the table, {"table_mm": [900, 600], "corners_px": [[x, y], ...], "zones": {"A1": [x, y, width,
height, degrees], ...}}; without them the standard layout is taken.

For game.mp4 come game.result.jsonl (every ruling, for programs), game.spit (the record of the game) and game.html (the
report, for people). Exit code 1 says that a recorded game came out otherwise than at the table, 2 that a recording
could not be refereed.
"""

LONG: Final = 15.0
"""For a shorter film it takes longer to start a process than that saves, s."""


def add(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "replay",
        help="referee recordings: rulings, game record and a report with stills",
        description="Referee recordings: write every ruling, the record of the game, and a report with stills.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "video", nargs="+", metavar="VIDEO|GAME", help="a video, a folder of pictures, or the folder of a recorded game"
    )
    parser.add_argument("--table", metavar="NAME", help="a table that was kept by 'referee calibrate', or its file")
    parser.add_argument("--corners", metavar="X,Y…", help="where the table's four corners lie in the picture")
    parser.add_argument("--size", metavar="WxH", help="size of the table in millimetres (900x600)")
    parser.add_argument("--zones", type=Path, metavar="FILE", help="a file that describes the table (.json, .toml)")
    parser.add_argument(
        "--ruleset", metavar="RULES", help="a preset, or preset,key=value,… (house, or the law of the recorded game)"
    )
    parser.add_argument("--names", metavar="A,B", help="the players' names (A,B)")
    parser.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="where the files go (here)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="recordings refereed at the same time (1)")
    parser.add_argument("--model", type=Path, metavar="FILE", help="another model than the one that ships")
    parser.add_argument("--reread", action="store_true", help="read the pictures of recorded games again")
    parser.set_defaults(run=run)


@dataclass(frozen=True, slots=True)
class Job:
    """One recording to referee; made of what can be sent to another process."""

    video: str
    name: str
    setting: Setting
    table: str | None
    model: Path | None
    out: Path


def run(args: argparse.Namespace) -> int:
    """Referee every recording; 2 if one could not be, 1 if a recorded game came out otherwise."""
    from referee.commands.replay_game import check
    from referee.record.folder import is_game

    _check(args)
    games = [Path(video) for video in args.video if is_game(Path(video))]
    films = [video for video in args.video if not is_game(Path(video))]
    if games:
        check(args, games)
    elif args.reread:
        raise UserError("--reread is for recorded games: a video is read anyway")
    jobs = _jobs(args, films) if films else []
    try:
        args.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot write into {args.out}: {error.strerror}") from None
    failed, otherwise = _games(args, games)
    failed += _one_by_one(jobs) if args.jobs == 1 or len(jobs) == 1 else _side_by_side(jobs, args.jobs)
    for video, why in failed:
        print(f"referee: not refereed: {why if video in why else f'{video}: {why}'}", file=sys.stderr)
    return 2 if failed else 1 if otherwise else 0


def _check(args: argparse.Namespace) -> None:
    if args.jobs < 1:
        raise UserError(f"--jobs {args.jobs}: at least one recording at a time has to be refereed")
    stems = [_name(video) for video in args.video]
    twice = sorted({stem for stem in stems if stems.count(stem) > 1})
    if twice:
        raise UserError(f"two recordings are called {twice[0]!r}, and so would be their files: referee them apart")


def _name(video: str) -> str:
    """What the files of a recording are called."""
    path = Path(video)
    return (path.resolve().name if path.is_dir() else path.stem).replace('"', "'")


def _games(args: argparse.Namespace, games: Sequence[Path]) -> tuple[list[tuple[str, str]], bool]:
    """Referee recorded games; those that could not be, and whether one came out otherwise than at the table."""
    from referee.commands.replay_game import replay_game, told

    failed, otherwise = [], False
    for number, game in enumerate(games):
        bar = _Bar(len(games), number)
        try:
            again = replay_game(args, game, partial(bar.show_one, str(game)))
        except UserError as error:
            bar.clear()
            failed.append((str(game), str(error)))
            continue
        bar.clear()
        otherwise = otherwise or bool(again.differences())
        print("\n".join(told(again, game, args.out)))
    return failed, otherwise


def _jobs(args: argparse.Namespace, films: Sequence[str]) -> list[Job]:
    from referee.arguments import parse_names
    from referee.calibrate.table_given import given_table, kept_table
    from referee.calibrate.tables import where_it_lies
    from referee.report.replaying import Setting
    from referee.rules.settings import parse_ruleset
    from referee.vision.model_file import own_model, shipped_model
    from referee.vision.open_source import is_missing

    names = parse_names("A,B" if args.names is None else args.names)
    try:
        rules = parse_ruleset("house" if args.ruleset is None else args.ruleset)
    except ValueError as error:
        raise UserError(str(error)) from None
    if all(map(is_missing, films)):
        # Whatever else is wrong, a name that was mistyped is told first.
        raise UserError(f"{films[0]}: there is no such file: check the name")
    if args.table is args.corners is args.zones is None:
        raise where_it_lies()
    if args.table is None:
        table = given_table(rules, args.corners, args.size, args.zones)
    elif args.corners is args.size is args.zones is None:
        table = kept_table(args.table)
    else:
        raise UserError("--table says where everything lies: leave out --corners, --size and --zones, or --table")
    model = own_model(args.model) if args.model else shipped_model()
    setting = Setting(rules, names, table, model.checksum)
    return [Job(video, _name(video), setting, args.table, args.model, args.out) for video in films]


def referee_one(job: Job, progress: Callable[[float, float | None], None], *, alone: bool = False) -> Outcome:
    """Referee one recording, with whatever cores there are if it is ``alone``.

    Raises:
        UserError: it cannot be refereed.
    """
    from referee.calibrate.table_given import kept_table
    from referee.report.replaying import replay_film
    from referee.vision.open_source import open_source
    from referee.vision.read_ahead import ReadAhead
    from referee.vision.reader import CardReader
    from referee.vision.reader_beside import ReaderBeside, cores
    from referee.vision.zone_reading import ZoneReader, ZoneReaderBeside

    with ReadAhead(open_source(job.video)) as source:
        setting = job.setting
        if job.table is not None:
            setting = replace(setting, table=kept_table(job.table, source.size))
        view, boxes = setting.table.view(), setting.table.layout.boxes
        if alone and cores() > 1 and (source.duration or LONG) >= LONG:
            with ReaderBeside(job.model) as crops:
                beside = ZoneReaderBeside(crops, view, boxes)
                return replay_film(job.name, source, beside, setting, job.out, progress)
        reader = ZoneReader(CardReader(job.model), view, boxes)
        return replay_film(job.name, source, reader, setting, job.out, progress)


def _one_by_one(jobs: Sequence[Job]) -> list[tuple[str, str]]:
    failed = []
    for number, job in enumerate(jobs):
        bar = _Bar(len(jobs), number)
        try:
            outcome = referee_one(job, partial(bar.show_one, job.video), alone=True)
        except UserError as error:
            bar.clear()
            failed.append((job.video, str(error)))
        except Exception as error:  # a fault of the program in one recording must not lose the others
            bar.clear()
            logging.getLogger(__name__).exception("%s", job.video)
            failed.append((job.video, f"{type(error).__name__}: {error}"))
        else:
            bar.clear()
            _say(job, outcome, bar.elapsed())
    return failed


def _side_by_side(jobs: Sequence[Job], count: int) -> list[tuple[str, str]]:
    """Several at once, each in a process of its own, so that one that fails takes no other along."""
    import multiprocessing
    import signal
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait

    context = multiprocessing.get_context("spawn")
    reached, stopped = context.SimpleQueue(), context.Event()
    failed = []
    bar = _Bar(len(jobs), 0)
    at: dict[str, tuple[float, float | None]] = {}
    with ProcessPoolExecutor(min(count, len(jobs)), context, _begin, (reached, stopped)) as pool:
        # Processes begin with what is ignored here: Ctrl-C is for this one, which passes it on.
        heeded = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            running = {pool.submit(_in_process, job): job for job in jobs}
        finally:
            signal.signal(signal.SIGINT, heeded)
        try:
            while running:
                done, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
                while not reached.empty():
                    video, t, whole = reached.get()
                    at[video] = (t, whole)
                bar.show(at)
                for one in done:
                    job = running.pop(one)
                    at.pop(job.video, None)
                    bar.finished += 1
                    bar.clear()
                    error = one.exception()
                    if error is None:
                        _say(job, one.result(), None)
                    else:
                        failed.append((job.video, str(error) or type(error).__name__))
        except KeyboardInterrupt:
            stopped.set()
            pool.shutdown(cancel_futures=True)
            raise
    return failed


_reached: Any = None
"""Where a process of the pool tells how far it is."""

_stopped: Any = None
"""Set when the processes of the pool are to stop."""


def _begin(reached: Any, stopped: Any) -> None:
    import signal

    global _reached, _stopped
    _reached, _stopped = reached, stopped
    # Not everywhere is it left from the start.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _in_process(job: Job) -> Outcome:
    import time

    last = [0.0]

    def progress(t: float, whole: float | None) -> None:
        if _stopped.is_set():
            raise KeyboardInterrupt
        now = time.monotonic()
        if now - last[0] > 0.3:
            last[0] = now
            _reached.put((job.video, t, whole))

    return referee_one(job, progress)


def _say(job: Job, outcome: Outcome, seconds: float | None) -> None:
    pace = "" if not seconds else f", {outcome.seconds / seconds:.1f} times as fast as it was played"
    doubt = f", {outcome.undecided} undecided" if outcome.undecided else ""
    print(
        f"{job.video}: {outcome.rulings} rulings, {outcome.faults} illegal{doubt}; {outcome.seconds:.1f} s{pace}; "
        f"{outcome.files[-1]}"
    )
    if outcome.damage:
        print(f"  {outcome.damage}")


class _Bar:
    """How far the recordings are, and the time left, on stderr where somebody watches."""

    def __init__(self, total: int, finished: int) -> None:
        import time

        self._clock = time.monotonic
        self._begun = self._clock()
        self._shown = self._begun
        self._total = total
        self.finished = finished
        self._first = finished

    def elapsed(self) -> float:
        """Seconds since this bar began."""
        return self._clock() - self._begun

    def show(self, at: dict[str, tuple[float, float | None]]) -> None:
        """Show how far each recording being refereed is: time reached and length, s."""
        now = self._clock()
        if not sys.stderr.isatty() or now - self._shown < 0.2:
            return
        self._shown = now
        share = sum(t / whole for t, whole in at.values() if whole)
        done = (self.finished + share) / self._total
        gone = max(self.finished + share - self._first, 1e-6)
        left = round(self.elapsed() / gone * (self._total - self.finished - share))
        full = min(24, round(24 * done))
        names = ", ".join(f"{Path(video).name} {t:.0f} s" for video, (t, _) in at.items())
        bar = "#" * full + "." * (24 - full)
        text = f"[{bar}] {done:4.0%}  {self.finished}/{self._total} done, {left // 60}:{left % 60:02d} left  {names}"
        print(f"\r{text[:110]:<110}", end="", file=sys.stderr, flush=True)

    def show_one(self, video: str, t: float, whole: float | None) -> None:
        """Show how far the one recording being refereed is."""
        self.show({video: (t, whole)})

    def clear(self) -> None:
        """Wipe the bar away."""
        if sys.stderr.isatty():
            print(f"\r{'':110}\r", end="", file=sys.stderr, flush=True)
