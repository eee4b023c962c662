"""A timed game as a play for the camera: the exact way of every card and hand, from events and the hidden deal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random

from referee.cards import DECK, Card
from referee.rules.layouts import LAYOUTS, Layout
from referee.simulate.arms import Arm, grip_at, home_of, towards
from referee.simulate.events import Event
from referee.simulate.fan import Fan
from referee.simulate.handling import InHand, manner_of
from referee.simulate.ledger import Ledger
from referee.simulate.motion import SETTLE, THICKNESS, Carry, Manner, Point, Tilt, turn_between
from referee.simulate.placement import FACE_DOWN, held_by, places_on, resting
from referee.simulate.scene import CardPose, HandShape, Snapshot
from referee.simulate.schedule import KNOCKED_MM, OFF_TABLE_MM, Draw, Job, Knock, Move, Planner, Timed
from referee.simulate.surroundings import SLIDE, Cover, Surroundings
from referee.simulate.tracks import CardTrack, HandTrack
from referee.table import HANDS, RESERVES, Seat, TableLayout, Zone, ZoneKind

_HAND_MM = 21.0
"""Thickness of a hand that lies under another, mm."""


class Choreography:
    """A ``Script``: where everything is at any instant of a film.

    Attributes:
        duration: length, s.
        layout: where the zones lie.
        events: what happens, in order of time; the truth of the film.
    """

    def __init__(
        self,
        events: Sequence[Event],
        layout: TableLayout,
        seed: int,
        duration: float,
        *,
        surroundings: Surroundings | None = None,
        asides: Sequence[Knock | Draw] = (),
        plan: Layout = LAYOUTS["triangle5"],
    ) -> None:
        """Plans the whole film.

        Args:
            events: in order of time; the first is the deal at t = 0, whose cards must all be known.
            layout: where the zones really lie; reserves without a place are held in the off hand.
            seed: for everything the hands leave to chance.
            duration: length of the film, s; events after it are planned all the same, so that hands are on their way.
            surroundings: props, lamp and bumps.
            asides: cards knocked off piles, cards drawn into hands.
            plan: whether there are hands to play from, and whether whole layouts are dealt anew.

        Raises:
            ValueError: the events cannot be done by hands; the sentence says where.
        """
        self.duration = duration
        self.events = tuple(events)
        self._rng = Random(f"choreography {seed}")
        self.layout = layout
        self._surroundings = surroundings or Surroundings()
        self._places = places_on(self.layout, hands=plan.hand > 0)
        self._fans = {zone: Fan(self._places[zone]) for zone in HANDS if zone in self._places}
        self._cards = {card: CardTrack() for card in DECK}
        self._lies: dict[Card, CardPose] = {}
        self._ledger = Ledger()
        self._in_hand: dict[Card, InHand] = {}
        self._covered: dict[Zone, list[float]] = {}
        homes: dict[tuple[Seat, bool], Point] = {}
        self._arms: dict[tuple[Seat, bool], Arm] = {}
        for seat in Seat:
            held = held_by(seat, self._places)
            for off in (False, True):
                home = homes[seat, off] = home_of(seat, off, self.layout, held)
                shape = HandShape.CARRY if off and held and held.zone is RESERVES[seat] else HandShape.REST
                track = HandTrack(seat, not off, home, self.layout, shape)
                self._arms[seat, off] = Arm(track, self.layout, self._rng)
        self._first_deal()
        steps: list[tuple[float, Callable[[], None]]] = []
        tasks = Planner(self._places, homes, rounds=plan.rounds).plan(self.events, asides)
        for number, cover in enumerate(self._surroundings.covers):
            steps += self._serve(cover, tasks, self._surroundings.covers[:number])
        for hand, timed in tasks.items():
            for before, one, after in zip((None, *timed), timed, (*timed[1:], None), strict=False):
                steps += self._stage(self._arms[hand], one, before, after)
        for _, step in sorted(steps, key=lambda step: step[0]):
            step()
        for arm in self._arms.values():
            arm.wait(arm.free + 60.0, None)

    def snapshot(self, t: float) -> Snapshot:
        """The scene at ``t``."""
        poses = (track.at(t) for track in self._cards.values())
        cards = tuple(sorted((pose for pose in poses if pose is not None), key=lambda pose: pose.z))
        around = self._surroundings
        hands = tuple(arm.track.at(t) for arm in self._arms.values())
        return Snapshot(t, cards, hands, around.props(t), around.lamp(t), around.shift(t))

    def moving(self, t0: float, t1: float) -> bool:
        """Whether anything changes between the two instants."""
        return (
            any(arm.track.moving(t0, t1) for arm in self._arms.values())
            or any(track.moving(t0, t1) for track in self._cards.values())
            or self._surroundings.moving(t0, t1)
        )

    def _first_deal(self) -> None:
        first = self.events[0].action if self.events else None
        if first is None or first.t != 0.0 or None in first.deal:
            raise ValueError("a film begins with the deal to both players at t = 0")
        for seat, dealt in zip(Seat, first.deal, strict=True):
            assert dealt is not None
            self._ledger.lay_out(seat, dealt)
            for zone in self._ledger.own(seat):
                for level, one in enumerate(self._ledger.pile(zone)):
                    if one.card not in self._cards:
                        raise ValueError(f"a film needs every card of the deal: one at {zone} is not known")
                    pose = resting(one.card, self._places[zone], level, self._rng, up=one.up, reader=seat, neat=True)
                    self._rest(0.0, pose)

    def _rest(self, t: float, pose: CardPose) -> None:
        self._lies[pose.card] = pose
        self._cards[pose.card].rest(t, pose)

    def _stage(
        self, arm: Arm, timed: Timed, before: Timed | None, after: Timed | None
    ) -> list[tuple[float, Callable[[], None]]]:
        """What has to be worked out for a task, each step at the time the state of the table counts for it."""
        task, starts = timed.task, timed.starts
        if task.job is Job.MOVE:
            first, *others = task.moves
            if not others:
                return [
                    (starts[2], lambda: self._take(arm, first, *starts)),
                    (task.t, lambda: self._put(arm, timed, starts[2])),
                ]
            (second,) = others
            return [
                (starts[2], lambda: self._take(arm, second, *starts[:3])),
                (starts[3], lambda: self._join(arm, second, first, starts[2], starts[3])),
                (starts[4], lambda: self._take_both(first, second, starts[4])),
                (task.t, lambda: self._put(arm, timed, starts[4])),
            ]
        act: dict[Job, Callable[[], None]] = {
            Job.SLAP: lambda: self._cover(arm, timed, stays=_claims(timed, after)),
            Job.TOUCH: lambda: self._cover(arm, timed, stays=False),
            Job.SWEEP: lambda: self._sweep(arm, timed, lies=before is not None and _claims(before, timed)),
            Job.LAY: lambda: self._lay(arm, timed, away=before is not None and before.task.job is Job.SWEEP),
            Job.KNOCK: lambda: self._knock(arm, timed),
            Job.DRAW: lambda: self._draw(arm, timed),
        }
        return [(starts[2] if task.job is Job.DRAW else task.t, act[task.job])]

    def _serve(
        self, cover: Cover, tasks: Mapping[tuple[Seat, bool], Sequence[Timed]], earlier: Sequence[Cover]
    ) -> list[tuple[float, Callable[[], None]]]:
        """A cup is brought and taken by the off hand on its side of the table, if that hand has nothing else to do."""
        hand = (Seat.A if cover.dx < 0 else Seat.B, True)
        begins, ends = cover.t0 - SLIDE - 1.5, cover.t1 + SLIDE + 1.5
        taken = any(one.starts[0] < ends and one.free > begins for one in tasks[hand])
        taken = taken or any(one.t0 - SLIDE < ends and one.t1 + SLIDE > begins for one in earlier)
        if cover.prop.kind != "cup" or taken or held_by(hand[0], self._places) is not None:
            return []
        arm, prop = self._arms[hand], cover.prop
        there = (prop.x, prop.y + towards(hand[0]) * 0.44 * prop.size, 0.9 * prop.size)
        away = (there[0] + cover.dx, there[1] + cover.dy, there[2])
        return [
            (cover.t0, lambda: arm.move_thing(cover.t0 - SLIDE, cover.t0, away, there)),
            (cover.t1, lambda: arm.move_thing(cover.t1, cover.t1 + SLIDE, there, away)),
        ]

    # One card, or two, from place to place.

    def _take(self, arm: Arm, move: Move, reach: float, pinch: float, lift: float) -> None:
        pose = self._lies[move.card]
        grip = arm.grip(pose)
        point = pose.point(grip.u, grip.v)
        start = arm.wait(reach, point)
        arm.reach(start, pinch, point)
        arm.pinch(pinch, lift, point)
        self._in_hand[move.card] = InHand(pose, grip, self._lift(move.card, lift))

    def _lift(self, card: Card, t: float) -> bool:
        """Takes a card out of its pile, whose upper cards sink; whether there were any."""
        if self._ledger.where(card) is None:
            return False  # it was knocked off its pile
        zone, level, _ = self._ledger.lift(card)
        if zone in self._fans:
            self._fans[zone].take(card)
            return False
        self._level(zone, level, t)
        return level < len(self._ledger.pile(zone))

    def _level(self, zone: Zone, level: int, t: float) -> None:
        """Brings the cards of a pile from ``level`` up to the height they lie at now."""
        ground = self._places[zone].ground
        for index, one in enumerate(self._ledger.pile(zone)[level:], start=level):
            pose = self._lies[one.card]
            self._rest(self._cards[one.card].still(t), replace(pose, z=ground + index * THICKNESS))

    def _join(self, arm: Arm, upper: Move, lower: Move, lift: float, touch: float) -> None:
        """Puts one card askew on another, to take both at once."""
        held, below = self._in_hand[upper.card], self._lies[lower.card]
        x, y = below.x + self._rng.uniform(-10, 10), below.y + towards(arm.track.seat) * self._rng.uniform(4, 9)
        yaw = below.yaw + self._rng.uniform(-6, 6)
        end = CardPose(upper.card, x, y, below.z + THICKNESS, yaw, 0.0 if upper.up else FACE_DOWN, 0.0, 0.0, 0.0)
        manner = replace(manner_of(self._rng, arm.track.seat, held, end, upper), landing=0.0)
        move = Carry(held.start, end, lift, touch, touch, manner)
        self._cards[upper.card].carry(move)
        arm.follow(move, held.grip)
        self._in_hand[upper.card] = replace(held, start=end)

    def _take_both(self, lower: Move, upper: Move, lift: float) -> None:
        self._in_hand[lower.card] = InHand(self._lies[lower.card], self._in_hand[upper.card].grip, False)
        self._lift(lower.card, lift)

    def _put(self, arm: Arm, timed: Timed, lift: float) -> None:
        task = timed.task
        settled = task.t + SETTLE
        manner: Manner | None = None
        for move in task.moves:
            held = self._in_hand.pop(move.card)
            level = self._ledger.put(move.target, move.card, up=move.up)
            if move.target in self._fans:
                end = self._fans[move.target].put(move.card, self._rng)
            else:
                end = resting(move.card, self._places[move.target], level, self._rng, up=move.up, reader=task.seat)
            manner = manner or manner_of(self._rng, task.seat, held, end, move)
            carry = Carry(held.start, end, lift, task.t, settled, manner)
            self._cards[move.card].carry(carry)
            self._lies[move.card] = end
            if move is task.moves[-1]:
                arm.follow(carry, held.grip)
        arm.let_go(task.t, timed.free)

    def _draw(self, arm: Arm, timed: Timed) -> None:
        """The top cards of the reserve come to the fan, all at once."""
        task = timed.task
        reach, pinch, lift = timed.starts
        grip = arm.corner_grip()
        manner: Manner | None = None
        if not self._ledger.pile(task.zone):
            self._arms[task.seat, True].hold(lift, task.t)
        for move in task.moves:
            start = self._lies[move.card]
            self._lift(move.card, lift)
            self._ledger.put(task.zone, move.card, up=True)
            end = self._fans[task.zone].put(move.card, self._rng)
            # They travel as one packet, and are spread as they come to the hand.
            manner = manner or manner_of(self._rng, task.seat, InHand(start, grip, False), end, move)
            how = replace(manner, turning=turn_between(start.flip, end.flip))
            carry = Carry(start, end, lift, task.t, task.t + SETTLE, how)
            self._cards[move.card].carry(carry)
            self._lies[move.card] = end
            if move is task.moves[0]:
                point = start.point(grip.u, grip.v)
                begin = arm.wait(reach, point)
                arm.reach(begin, pinch, point)
                arm.pinch(pinch, lift, point)
                arm.follow(carry, grip)
        arm.let_go(task.t, timed.free)

    # Hands flat on piles, piles drawn away and laid out.

    def _top(self, zone: Zone) -> float:
        """Height of the top of a pile, mm."""
        return self._places[zone].ground + len(self._ledger.pile(zone)) * THICKNESS

    def _cover(self, arm: Arm, timed: Timed, *, stays: bool) -> None:
        task, rng, side = timed.task, self._rng, towards(arm.track.seat)
        box = self._places[task.zone].box
        slap = task.job is Job.SLAP
        others = sum(until > task.t for until in self._covered.get(task.zone, ()))
        self._covered.setdefault(task.zone, []).append(timed.free)
        z = self._top(task.zone) + others * _HAND_MM
        point = (box.x + rng.uniform(-9, 9), box.y + side * rng.uniform(14, 26), z)
        start = arm.wait(timed.starts[0], point)
        arm.reach(start, task.t, point, shape=HandShape.SLAP if slap else HandShape.REACH)
        pile = self._ledger.pile(task.zone)
        if slap or not pile:
            arm.press(task.t, point)
        else:
            # A hand that touches what is not its own shifts it a little: that is what there is to see.
            lies = self._lies[pile[-1].card]
            x, y = lies.x + rng.choice((-1, 1)) * rng.uniform(5, 12), lies.y + side * rng.uniform(2, 8)
            end = replace(lies, x=x, y=y, yaw=lies.yaw + rng.uniform(-6, 6))
            still = task.t + 0.7 * (timed.free - task.t)
            shift = Carry(lies, end, task.t, still, still, Manner(0.0))
            self._cards[pile[-1].card].carry(shift)
            self._lies[pile[-1].card] = end
            arm.follow(shift, grip_at(lies, point), HandShape.REACH)
        if stays:
            arm.free = task.t
        else:
            arm.lift_off(timed.free, task.t)

    def _sweep(self, arm: Arm, timed: Timed, *, lies: bool) -> None:
        task = timed.task
        packet = [self._lies.pop(one.card) for one in self._ledger.take_up(task.zone)]
        fan = task.zone in self._fans
        if fan:
            self._fans[task.zone] = Fan(self._places[task.zone])
        if not packet:
            raise ValueError(f"there is nothing at {task.zone} to take up at {task.t:.3f} s")
        top = packet[-1]
        gone = self._off_table(task.zone, arm.track.seat)
        reach, pinch = timed.starts
        if lies:
            grip = grip_at(top, arm.track.point(task.t))
        else:
            grip = arm.grip(top)
            point = top.point(grip.u, grip.v)
            start = arm.wait(reach, point)
            arm.reach(start, pinch, point)
            arm.pinch(pinch, task.t, point)
        turn = self._rng.uniform(-12, 12)
        for level, pose in enumerate(packet):
            dx, dy = pose.x - top.x, pose.y - top.y
            x, y, z = gone[0] + 0.5 * dx, gone[1] + 0.5 * dy, pose.z if fan else 30 + level * THICKNESS
            end = replace(pose, x=x, y=y, z=z, yaw=pose.yaw + turn)
            move = Carry(pose, end, task.t, timed.free, timed.free, Manner(9.0))
            self._cards[pose.card].carry(move)
            self._cards[pose.card].rest(timed.free, None)
            if pose is top:
                arm.follow(move, grip, HandShape.GATHER)
        arm.free = timed.free

    def _lay(self, arm: Arm, timed: Timed, *, away: bool) -> None:
        task, rng = timed.task, self._rng
        place = self._places[task.zone]
        gone = self._off_table(task.zone, task.seat)
        reach, pinch, lift = timed.starts
        settled = task.t + SETTLE
        manner = Manner(rng.uniform(26, 40), Tilt(0.0, rng.gauss(0.0, 3.0)), 0.5)
        for number, (card, up) in enumerate(task.packet):
            level = self._ledger.put(task.zone, card, up=up)
            end = resting(card, place, level, rng, up=up, reader=task.seat, neat=True)
            start = replace(end, x=gone[0], y=gone[1], z=30 + level * THICKNESS)
            carry = Carry(start, end, lift, task.t, settled, manner)
            self._cards[card].carry(carry)
            self._lies[card] = end
            if number == 0:
                grip = arm.grip(start)
                point = start.point(grip.u, grip.v)
                begin = arm.wait(reach, point, stay=away)
                arm.reach(begin, pinch, point)
                arm.pinch(pinch, lift, point)
                arm.follow(carry, grip)
        if place.ground > 0:
            arm.free = settled  # this hand keeps holding what it brought
        else:
            arm.let_go(task.t, timed.free)

    def _off_table(self, zone: Zone, seat: Seat) -> tuple[float, float]:
        """Where, off the table, a player gathers what comes from a zone."""
        side, middle = towards(seat), self.layout.width / 2
        x = middle + 0.6 * (self._places[zone].box.x - middle)
        return x, self.layout.height / 2 + side * (self.layout.height / 2 + OFF_TABLE_MM)

    def _knock(self, arm: Arm, timed: Timed) -> None:
        task, rng = timed.task, self._rng
        card = self._ledger.pile(task.zone)[-1].card
        lies = self._lies[card]
        out = self._knocked_to(task.zone)
        side = towards(arm.track.seat)
        point = (lies.x - 0.2 * out[0], lies.y - 0.2 * out[1] + side * 20.0, lies.z)
        start = arm.wait(timed.starts[0], point)
        arm.reach(start, task.t, point)
        self._lift(card, task.t)
        x, y = lies.x + out[0] + rng.uniform(-6, 6), lies.y + out[1] + rng.uniform(-6, 6)
        end = replace(lies, x=x, y=y, z=0.0, yaw=lies.yaw + rng.choice((-1, 1)) * rng.uniform(15, 50))
        slid = task.t + 0.24
        move = Carry(lies, end, task.t, slid, slid, Manner(5.0, Tilt(0.0, rng.gauss(0.0, 5.0))))
        self._cards[card].carry(move)
        self._lies[card] = end
        arm.brush(task.t, timed.free, out)

    @staticmethod
    def _knocked_to(zone: Zone) -> tuple[float, float]:
        """Where there is room beside a pile: outwards from a centre pile, towards the middle from the others."""
        if zone.kind is ZoneKind.CENTRE:
            return (-KNOCKED_MM if zone.index == 0 else KNOCKED_MM), 0.0
        assert zone.seat is not None
        return 0.0, -towards(zone.seat) * KNOCKED_MM


def _claims(slap: Timed, sweep: Timed | None) -> bool:
    """Whether the hand that came down in one task takes the pile under it in the next."""
    return (
        sweep is not None
        and slap.task.job is Job.SLAP
        and sweep.task.job is Job.SWEEP
        and slap.task.zone is sweep.task.zone
    )
