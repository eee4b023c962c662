"""Looks are drawn from a seed, and options hold."""

from __future__ import annotations

import dataclasses

import pytest

from referee.errors import UserError
from referee.simulate.render.camera import Lens
from referee.simulate.render.look import LIGHTS, linear, make_look, tint
from referee.simulate.render.surfaces import KINDS


def test_a_seed_gives_one_look() -> None:
    assert make_look(7) == make_look(7)
    assert make_look(7) != make_look(8)


def test_options_hold_and_leave_the_rest_alone() -> None:
    free = make_look(5)
    bound = make_look(5, tilt=21.0, lens=Lens(-0.02), surface="felt")
    assert (bound.tilt, bound.lens, bound.surface) == (21.0, Lens(-0.02), "felt")
    same = dataclasses.replace(bound, tilt=free.tilt, lens=free.lens, surface=free.surface, mat=free.mat)
    assert same == free


@pytest.mark.parametrize("light", LIGHTS)
def test_every_light_can_be_asked_for(light: str) -> None:
    assert make_look(3, light=light).light == light


def test_a_dim_room_is_noisier_and_exposed_longer() -> None:
    dim, day = make_look(4, light="dim").sensor, make_look(4, light="day").sensor
    assert dim.noise > day.noise
    assert dim.exposure > day.exposure


def test_tables_lights_and_tilts_vary_over_seeds() -> None:
    looks = [make_look(seed) for seed in range(120)]
    assert {look.surface for look in looks} == set(KINDS)
    assert {look.light for look in looks} == set(LIGHTS)
    assert min(look.tilt for look in looks) < 2
    assert 25 < max(look.tilt for look in looks) <= 35


@pytest.mark.parametrize("wrong", [{"tilt": 50.0}, {"light": "disco"}, {"surface": "lava"}])
def test_an_impossible_option_is_explained(wrong: dict[str, object]) -> None:
    with pytest.raises(UserError):
        make_look(1, **wrong)  # type: ignore[arg-type]  # wrong on purpose


def test_warm_light_is_red_and_daylight_blue() -> None:
    assert tint(2700)[2] > tint(2700)[0]
    assert tint(8000)[0] > tint(8000)[2]


def test_colours_turn_linear_blue_first() -> None:
    assert linear((255, 0, 0)) == pytest.approx((0, 0, 1))
    assert linear((0, 0, 188))[0] == pytest.approx(0.5, abs=0.01)
