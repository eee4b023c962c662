"""A game being refereed live: told frames, keys and troubles, it says what is to be shown, said and kept.

It has neither window nor voice nor clock: all times are those of the frames.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from referee.announce.announcement import Announcement, Level, announce, is_wanted
from referee.announce.commits import commit_announcements, commit_settles
from referee.announce.phrases import Language
from referee.live.answers import UNDONE, answer
from referee.live.interruptions import Interruptions
from referee.live.notices import Notices
from referee.live.refereeing import LiveSession
from referee.live.scene import Light, LineShown, Scene, light_of, player_shown, where, zones_shown
from referee.readings import Evidence, ZoneReading
from referee.record.entries import CameraGap, Key, Moved, Pressed
from referee.record.faults import Fault, Lost
from referee.record.keeper import GameKeeper
from referee.record.sight import corners_in
from referee.report.stills import Still, StillKeeper
from referee.table import Seat, Zone
from referee.tracking import commits as said
from referee.tracking.commits import Commit
from referee.tracking.results import result_event, told
from referee.vision.camera_feed import Gap
from referee.vision.frames import Frame
from referee.vision.rectify import TableView

LINES: Final = 4
"""Rulings shown at a time."""

FRESH_S: Final = 4.0
"""A fault or doubt stays lit so long, s."""

STILLS_S: Final = 0.06
"""Pictures for the report's stills are kept no closer together in time."""

NOT_KEPT: Final = {
    Lost.NO_ROOM: "trouble.disk_low",
    Lost.RECORDING: "trouble.recording_failed",
    Lost.JOURNAL: "trouble.journal_failed",
}
"""The phrase that tells the players what is not kept."""


@dataclass(frozen=True, slots=True)
class Voice:
    """How the game speaks: language, names of A and B, and how much is said."""

    language: Language
    names: tuple[str, str]
    level: Level


@dataclass(frozen=True, slots=True)
class Step:
    """What came of a frame, a key or a trouble.

    Attributes:
        commits: what was ruled and happened.
        announcements: what is to be said aloud.
        settled: topics that are settled by now, whatever is to be said of them.
        notices: new sentences about the referee itself.
    """

    commits: tuple[Commit, ...] = ()
    announcements: tuple[Announcement, ...] = ()
    settled: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    def __add__(self, other: Step) -> Step:
        again = {one.topic for one in other.announcements}
        return Step(
            self.commits + other.commits,
            self.announcements + other.announcements,
            tuple(topic for topic in self.settled if topic not in again) + other.settled,
            self.notices + other.notices,
        )


class LiveGame:
    """One game at the table.

    Attributes:
        voice: how it speaks.
        commits: all that was said, by number, in order.
        stills: of commits by their numbers, for the report.
        frame: the last frame, on the game's clock; None before the first.
    """

    def __init__(
        self,
        session: LiveSession,
        voice: Voice,
        keeper: GameKeeper | None,
        before: Sequence[Commit] = (),
        *,
        stills: bool = False,
    ) -> None:
        """Referee a game.

        Args:
            session: a fresh one, or one that goes on with the decoder that said ``before``.
            voice: how it speaks.
            keeper: keeps recording and journal; None where nothing is kept.
            before: what was said before the program broke off.
            stills: take stills, though nothing is kept.
        """
        self.voice = voice
        self.commits: dict[int, Commit] = {}
        self.stills: dict[int, tuple[Still, ...]] = {}
        self.frame: Frame | None = None
        self._session = session
        self._keeper = keeper
        self._interruptions = Interruptions(session.view, session.layout)
        self._pictures = StillKeeper(session.layout, session.view) if stills or keeper is not None else None
        self._pictured = float("-inf")
        self._readings: dict[Zone, ZoneReading] = {}
        self._pressed: list[Key] = []
        self._silent: set[int] = set()
        """Numbers of commits that are only shown."""
        self._firsts: dict[int, int] = {}
        """Number of a correction to that of the first commit it corrects."""
        self._undone: set[int] = set()
        """Numbers of those by which players took a ruling back."""
        self._gaps = 0
        self._lost = ""
        self._faults: tuple[Fault, ...] = ()
        self._notices = Notices()
        self._help = False
        self._lines: deque[LineShown] = deque(maxlen=LINES)
        self._fresh: list[Commit] = []
        self._won = Counter[Seat | None]()
        for commit in before:
            self._remember(commit)

    @property
    def t(self) -> float:
        """The game's clock, s."""
        if self.frame is not None:
            return self.frame.t
        return 0.0 if self._keeper is None else self._keeper.t

    @property
    def view(self) -> TableView:
        """Where the table lies in the last frame."""
        return self._session.view

    def watch(self, frame: Frame) -> Step:
        """Referee one more frame of the source."""
        if self._keeper is not None:
            frame = self._keeper.on_game_clock(frame)
        self.frame = frame
        interruption = self._interruptions.look(frame)
        if interruption.moved is not None:
            self._moved(interruption.moved, frame.t)
        commits, answered = self._obey()
        for disturbance in interruption.disturbances:
            disturbed = self._session.disturbed(disturbance)
            # Players were told when it began.
            self._silent.update(commit.number for commit in disturbed if commit.what == said.DISTURBED)
            commits += disturbed
        evidence: list[Evidence] = [*interruption.disturbances]
        if interruption.judging:
            watched = self._session.push(frame)
            evidence += watched.evidence
            commits += watched.commits
            self._readings.update((reading.zone, reading) for reading in watched.readings)
        else:
            commits += self._session.rest(frame.t)
        if self._keeper is not None:
            self._keeper.watched(frame, evidence, [result_event(commit, self.voice.names) for commit in commits])
        self._picture(frame, commits)
        return answered + self._phrased(interruption.phrases) + self._told(commits) + self._kept()

    def press(self, key: Key) -> Step:
        """The players tell something; ``Key.PAUSE`` also ends a pause, the others count from the next frame on."""
        if key is Key.PAUSE:
            phrase = self._interruptions.toggle(self.t)
            self._keep(Pressed(self.t, Key.PAUSE if self._interruptions.paused else Key.RESUME))
            return self._phrased((phrase,))
        self._pressed.append(key)
        return Step()

    def toggle_help(self) -> None:
        """Explain the keys, or no longer."""
        self._help = not self._help

    def camera(self, gaps: Sequence[Gap]) -> Step:
        """What the source says of the times it gave no pictures, s on its own clock."""
        step = Step()
        start = 0.0 if self._keeper is None else self._keeper.t
        while self._gaps < len(gaps):
            gap = gaps[self._gaps]
            if not self._lost:
                self._lost = f"The camera is lost: {gap.reason}."
                step += self._phrased(("trouble.camera_lost",))
                step += Step(notices=(self._lost,))
            if gap.t_to is None:
                break
            self._keep(CameraGap(round(gap.t_from + start, 6), round(gap.t_to + start, 6), gap.reason))
            self._gaps += 1
            self._lost = ""
            step += self._phrased(("trouble.camera_back",))
        return step

    def trouble(self, sentence: str) -> Step:
        """Something about the referee itself does not work; told once."""
        return Step(notices=(sentence,)) if self._notices.tell(sentence, self.t) else Step()

    def finish(self) -> Step:
        """No frame follows: say what is left, and complete the journal."""
        evidence, commits = self._session.end()
        if self._keeper is not None:
            self._keeper.finish(evidence, [result_event(commit, self.voice.names) for commit in commits])
        for commit in commits:
            self._still(commit)
        return self._told(commits)

    def scene(self, rate: float, drops: int, keys: Sequence[tuple[str, str]]) -> Scene:
        """What is shown now; rate and drops are those of the source, ``keys`` what each key does."""
        position, t = self._session.position, self.t
        self._fresh = [one for one in self._fresh if t - one.t_said < FRESH_S]
        lights = {light_of(one) for one in self._fresh}
        faulty = frozenset(
            one.action.target
            for one in self._fresh
            if light_of(one) is Light.RED and one.action is not None and one.action.target is not None
        )
        waiting = self._waiting()
        light = Light.RED if Light.RED in lights else Light.AMBER if waiting or Light.AMBER in lights else Light.GREEN
        a, b = (player_shown(position, seat, self.voice.names[seat], self._won[seat]) for seat in Seat)
        return Scene(
            zones_shown(position, self._readings, faulty, tuple(self._session.layout.boxes)),
            (a, b),
            where(position),
            tuple(self._lines),
            light,
            self._notices.shown(t, waiting),
            rate,
            drops,
            0 if self._keeper is None else self._keeper.left_out,
            tuple(keys),
            self._help,
        )

    def _waiting(self) -> str:
        if self._lost:
            return self._lost
        if self._interruptions.paused:
            return "Paused: nothing is judged."
        return "The table does not lie still: nothing is judged." if self._interruptions.unsteady else ""

    def _moved(self, view: TableView, t: float) -> None:
        self._session.moved(view)
        self._keep(Moved(t, corners_in(view, self._session.layout)))
        self._readings.clear()
        if self._pictures is not None:
            self._pictures = StillKeeper(self._session.layout, view)

    def _obey(self) -> tuple[list[Commit], Step]:
        """Tell the decoder what the players told since the last frame; what it says, and what is answered."""
        commits: list[Commit] = []
        step = Step()
        pressed, self._pressed = self._pressed, []
        for key in pressed:
            self._keep(Pressed(self.t, key))
            made = self._session.hear(key, self.t)
            answered = answer(key, made)
            self._silent |= answered.silent
            self._undone |= answered.undone
            step += self._phrased(answered.phrases)
            if answered.notice:
                self._notices.show(answered.notice, self.t)
                step += Step(notices=(answered.notice,))
            commits += made
        return commits, step

    def _keep(self, entry: Pressed | CameraGap | Moved) -> None:
        if self._keeper is not None:
            self._keeper.told(entry)

    def _kept(self) -> Step:
        """Whether recording and journal fare well."""
        faults = () if self._keeper is None else self._keeper.faults
        new = [one for one in faults if one not in self._faults and self._notices.tell(one.text, self.t)]
        self._faults = faults
        return self._phrased(NOT_KEPT[fault.lost] for fault in new) + Step(notices=tuple(fault.text for fault in new))

    def _picture(self, frame: Frame, commits: Iterable[Commit]) -> None:
        if self._pictures is not None and frame.t - self._pictured >= STILLS_S:
            self._pictured = frame.t
            self._pictures.push(frame)
        for commit in commits:
            self._still(commit)

    def _still(self, commit: Commit) -> None:
        if self._pictures is not None:
            self.stills[commit.number] = self._pictures.of(commit)

    def _told(self, commits: Iterable[Commit]) -> Step:
        """Keep in mind and say what was committed."""
        spoken: list[Announcement] = []
        settled: list[str] = []
        made = tuple(commits)
        for commit in made:
            self._remember(commit)
            topics = commit_settles(commit)
            # What was done before it could be called is not called any more; a fault is told though it was put right.
            spoken = [one for one in spoken if one.outlasts or one.topic not in topics]
            phrases = () if commit.number in self._silent else self._phrases(commit, self.voice.level)
            again = {one.topic for one in phrases}
            settled = [topic for topic in (*settled, *topics) if topic not in again]
            spoken += phrases
        return Step(made, tuple(spoken), tuple(settled))

    def _remember(self, commit: Commit) -> None:
        self.commits[commit.number] = commit
        corrected = None if commit.corrects is None else self.commits.get(commit.corrects)
        if corrected is not None:
            self._firsts[commit.number] = self._firsts.get(corrected.number, corrected.number)
            self._fresh = [one for one in self._fresh if one is not corrected]
            self._won[corrected.winner] -= corrected.what == said.ROUND_OVER
        line = self._line(commit)
        if line is not None:
            self._lines.append(line)
        self._fresh.append(commit)
        self._won[commit.winner] += commit.what == said.ROUND_OVER

    def _phrases(self, commit: Commit, level: Level) -> tuple[Announcement, ...]:
        corrected = None if commit.corrects is None else self.commits.get(commit.corrects)
        voice = self.voice
        first = self._firsts.get(commit.number)
        return commit_announcements(commit, voice.language, voice.names, level, corrected=corrected, first=first)

    def _line(self, commit: Commit) -> LineShown | None:
        """The line of a commit, in the language that is spoken, else in English; what all can see needs none."""
        text = " ".join(one.text for one in self._phrases(commit, Level.ALL))
        if not text and commit.what == said.ACTION:
            return None
        if commit.number in self._undone and commit.corrects in self.commits:
            taken = self.commits[commit.corrects]
            text = " ".join(one.text for one in (self._phrase(UNDONE), *self._phrases(taken, Level.ALL)))
        return LineShown(text or told(commit, self.voice.names), light_of(commit))

    def _phrased(self, keys: Iterable[str]) -> Step:
        phrases = [self._phrase(key) for key in keys]
        return Step(announcements=tuple(one for one in phrases if is_wanted(one, self.voice.level)))

    def _phrase(self, key: str) -> Announcement:
        return announce(key, language=self.voice.language)
