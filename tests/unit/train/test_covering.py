"""What a world requires of captures of its teachers, asked for wherever they are made or used."""

from dataclasses import replace
from pathlib import Path

import pytest

from astrarium import worlds
from astrarium.errors import ConfigError
from astrarium.train import captures, cloning
from astrarium.train.apprentice import course
from astrarium.train.apprentice.plan import Plan, Stage
from astrarium.train.captures import Capture
from astrarium.train.cloning import clone
from astrarium.train.config import layered
from astrarium.train.correcting import Correction
from astrarium.train.errors import CaptureError
from astrarium.train.imitation import Study
from astrarium.train.teaching import Lesson, capture, teacher_called
from astrarium.worlds.capturing import Capturing
from astrarium.worlds.registry import Schooling
from astrarium.worlds.townlet.reloading import config_id

TOWN = worlds.get("townlet-v1")
LANTERNS = worlds.get("lanterns-v1")
BOT = "nearest_dark_lamp"
ASKED = {"lamp_lit": "light one", "refilled": "let an evening be longer"}
HARD = {"ticks_max": 8}


def evenings(episodes: int = 4, entry=LANTERNS, **lesson) -> list[Capture]:
    settings = {"ticks_max": 12}
    return capture(entry, BOT, teacher_called(entry, BOT), Lesson(episodes, **lesson), settings)


def asking(**about) -> worlds.WorldEntry:
    return replace(LANTERNS, capturing=Capturing(**about))


def test_what_is_not_shown_is_named_with_how_to_get_it() -> None:
    with pytest.raises(CaptureError) as caught:
        evenings(entry=asking(required=ASKED), steps_max=2)
    words = str(caught.value)
    assert "refilled (let an evening be longer)" in words
    evenings(entry=asking(required={"lamp_lit": "light one"}))


@pytest.mark.parametrize(("share", "hard"), [(0.0, 0), (0.01, 1), (0.25, 1), (0.5, 2), (1.0, 4)])
def test_a_part_of_a_lesson_shows_hard_times(share: float, hard: int) -> None:
    """The last episodes, on seeds of their own; a set may hold both."""
    plain, mixed = evenings(), evenings(entry=asking(hard_times=HARD), hard_share=share)
    changed = [
        one.facts.episode_seed
        for one, usual in zip(mixed, plain, strict=True)
        if one.facts.config_id != usual.facts.config_id
    ]
    last = range(200_000 + 4 - hard, 200_000 + 4)
    assert sorted(set(changed)) == list(last)


def test_a_set_of_good_and_hard_times_is_read_again(tmp_path: Path) -> None:
    shown = evenings(entry=asking(hard_times=HARD))
    manifest = captures.write(tmp_path / "set", shown)
    assert len(manifest.config_ids) == 2
    assert [one.facts for one in captures.read(tmp_path / "set")] == [one.facts for one in shown]


def test_a_share_is_a_share() -> None:
    with pytest.raises(ConfigError, match=r"hard_share is 1\.5"):
        evenings(entry=asking(hard_times=HARD), hard_share=1.5)


def test_a_clone_is_not_made_of_captures_that_show_too_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    captures.write(tmp_path / "set", evenings())
    never = asking(required={"never": "wait"})
    monkeypatch.setattr(cloning.worlds, "get", lambda _: never)
    config = layered({"world": {"id": "lanterns-v1", "settings": {"ticks_max": 12}}})
    with pytest.raises(CaptureError, match=r"no capture shows never \(wait\)"):
        clone(tmp_path / "set", tmp_path / "policy", config, Study(epochs=1))


def test_apprentices_do_not_go_on_from_captures_that_show_too_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = Stage("first", layered({"world": {"id": "lanterns-v1"}}))
    school = Schooling(teacher=BOT)
    plan = Plan("lanterns-v1", school, (stage,), (0,), tmp_path, Lesson(4), Correction())
    captures.write(plan.captures, evenings())
    course.show(plan)
    never = asking(required={"never": "wait"})
    monkeypatch.setattr(course.worlds, "get", lambda _: never)
    with pytest.raises(CaptureError, match="no capture shows never"):
        course.show(plan)


def test_a_clone_is_of_the_world_it_was_shown(tmp_path: Path) -> None:
    captures.write(tmp_path / "set", evenings())
    config = layered({"world": {"id": "prospector-v2"}})
    with pytest.raises(CaptureError, match=r"shows lanterns-v1 .* is to play prospector-v2"):
        clone(tmp_path / "set", tmp_path / "policy", config, Study(epochs=1))


# A town

SEEN = {"features": {"systems": {"observations": "compact"}}}


@pytest.fixture(scope="module")
def days() -> list[Capture]:
    lesson = Lesson(episodes=4, steps_max=2000)
    return capture(TOWN, "citizens", teacher_called(TOWN, "citizens"), lesson, SEEN)


def test_days_of_a_town_show_all_that_is_required(days: list[Capture]) -> None:
    shown = {tag for one in days for tag in one.facts.tags}
    assert set(TOWN.capturing.required) <= shown
    events = worlds.make_vec("townlet-v1", 1).layout.events
    assert set(TOWN.capturing.required) <= set(events)


def test_captures_of_a_town_are_called_as_the_town_calls_itself(days: list[Capture]) -> None:
    first, last = days[0].facts, days[-1].facts
    usual = config_id(TOWN.config.model_validate(SEEN), label="townlet", seed=0)
    assert (first.world, first.variant, first.config_id) == ("townlet-v1", "compact", usual)
    assert (last.variant, last.config_id != usual) == ("compact", True)
    assert len(first.feature_names) == days[0].steps.obs.shape[1]
    assert first.action_names[0][:2] == ["Wait", "GetFed"]
    for name in ("term_survival", "term_wage", "term_shaping"):
        assert name in first.quality_metrics


def test_quiet_days_of_a_town_are_refused() -> None:
    teacher = teacher_called(TOWN, "citizens")
    with pytest.raises(CaptureError, match="larger share of hard times") as caught:
        capture(TOWN, "citizens", teacher, Lesson(2, steps_max=50, hard_share=0.0), SEEN)
    for tag in ("price_spike", "utility_outage", "job_late"):
        assert tag in str(caught.value)
