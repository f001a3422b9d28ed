"""Learning about the belt: scans of asteroids and listening for threats on lanes."""

from __future__ import annotations

import numpy as np

from astrarium.worlds.prospector import layout

from . import f32
from .f32 import ONE, ZERO, Vector
from .rules import ScanMode
from .state import Asteroid, State


def survey(state: State, asteroid: Asteroid, mode: ScanMode) -> None:
    """One noisy look, blended into the estimates. Fourteen words."""
    draws, rules = state.draws, state.rules
    deviation = (
        asteroid.scan_noise
        * (ONE - asteroid.confidence + rules.scan_noise_offset)
        * mode.noise_mult
    )
    raw = [share + draws.normal(ZERO, deviation) for share in asteroid.composition]
    seen = f32.normalised(np.array(raw, dtype=np.float32), rules.composition_floor)
    keep = ONE - mode.blend
    kept: Vector = keep * asteroid.composition_est
    learnt: Vector = mode.blend * seen
    asteroid.composition_est = f32.normalised(kept + learnt, rules.composition_floor)
    stability = f32.clamp01(asteroid.stability + draws.normal(ZERO, deviation))
    asteroid.stability_est = f32.clamp01(keep * asteroid.stability_est + mode.blend * stability)
    asteroid.confidence = f32.clamp01(asteroid.confidence + mode.gain)


def _charge(state: State, kind: int) -> None:
    state.ship.fuel = state.ship.fuel - state.rules.scan_fuel[kind]
    state.ship.alert = state.ship.alert + state.rules.scan_alert[kind]


def wide_scan(state: State) -> int:
    """Survey everything here, spent asteroids too. Counts even where there is nothing to see."""
    _charge(state, 0)
    for asteroid in state.here().asteroids:
        survey(state, asteroid, state.rules.scan_modes[0])
    state.ledger.scan_count += 1
    return state.rules.scan_ticks[0]


def selected_scan(state: State, action: int) -> int | None:
    """A focused or deep scan. The charge comes before the check, so an invalid scan pays it."""
    kind = action - layout.WIDE_SCAN
    _charge(state, kind)
    asteroid = state.live_selection()
    if asteroid is None:
        return None
    survey(state, asteroid, state.rules.scan_modes[kind])
    state.ledger.scan_count += 1
    return state.rules.scan_ticks[kind]


def listen(state: State) -> int:
    """Refine the threat estimates of the lanes out of here; the far ends learn nothing."""
    rules = state.rules
    for lane in state.here().lanes:
        heard = f32.clamp01(lane.threat + state.draws.normal(ZERO, rules.listen_sd))
        lane.threat_est = rules.listen_keep * lane.threat_est + rules.listen_blend * heard
    return rules.listen_ticks
