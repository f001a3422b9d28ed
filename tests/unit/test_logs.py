"""What the kernel says reaches `logging` when asked for, and only then."""

import logging
from collections.abc import Iterator

import pytest

import astrarium
from astrarium import logs


@pytest.fixture(autouse=True)
def quiet_afterwards() -> Iterator[None]:
    yield
    logs.disable()


def fields_of(record: logging.LogRecord) -> dict[str, str]:
    return record.__dict__["fields"]


def test_nothing_is_said_by_default(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    astrarium.make_vec("lanterns-v1", 2, seed=5)
    assert caplog.records == []


def test_events_arrive_with_logger_level_message_and_fields(
    caplog: pytest.LogCaptureFixture,
) -> None:
    world = astrarium.make_vec("lanterns-v1", 2)
    logs.enable("debug")
    world.reset(5)
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("astrarium.kernel", logging.DEBUG)
    assert record.getMessage() == "reset world=lanterns-v1 run_seed=5"
    assert fields_of(record) == {"world": "lanterns-v1", "run_seed": "5"}


def test_events_below_the_level_and_after_disabling_are_dropped(
    caplog: pytest.LogCaptureFixture,
) -> None:
    world = astrarium.make_vec("lanterns-v1", 2)
    caplog.set_level(0)
    logs.enable("info")
    world.reset(1)
    logs.enable("debug")
    world.reset(2)
    logs.disable()
    world.reset(3)
    assert [fields_of(record)["run_seed"] for record in caplog.records] == ["2"]


def test_a_batch_with_threads_logs_without_waiting_for_itself(
    caplog: pytest.LogCaptureFixture,
) -> None:
    logs.enable("trace")
    world = astrarium.make_vec("lanterns-v1", 8, threads=4)
    for seed in range(20):
        world.reset(seed)
        world.step()
        world.restore(world.snapshot())
    heard = [record.getMessage().split()[0] for record in caplog.records]
    assert heard.count("snapshot") == heard.count("restore") == 20


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_faulty_handler_does_not_fail_the_call(caplog: pytest.LogCaptureFixture) -> None:
    class Faulty(logging.Filter):
        def filter(self, record: logging.LogRecord) -> bool:
            raise RuntimeError("a filter of the user's")

    world = astrarium.make_vec("lanterns-v1", 2)
    logger, faulty = logging.getLogger("astrarium.kernel"), Faulty()
    logger.addFilter(faulty)
    try:
        logs.enable("debug")
        world.reset(9)
    finally:
        logger.removeFilter(faulty)
    assert world.episode.tolist() == [0, 0]


def test_an_unknown_level_is_named_with_the_nearest() -> None:
    with pytest.raises(astrarium.ConfigError, match="'debg'; did you mean 'debug'"):
        logs.enable("debg")  # type: ignore[arg-type]
