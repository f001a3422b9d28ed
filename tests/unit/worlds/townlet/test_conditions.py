"""Preconditions are read, never run."""

import pytest

from astrarium.worlds.townlet.config.conditions import checked


@pytest.mark.parametrize(
    "text",
    [
        "occupied == false",
        "inventory.meal >= 1 and not occupied",
        "inventory['meal'] == 2 or occupied",
        "object.type in ['stove', 'fridge']",
        "object.type not in ['bed']",
        "needs.hunger > -1 and (occupied == False)",
        "wallet",
        " wallet >= 0.5 ",
        "agent.id in queue",
        "reservation_holder not in queue and queue",
        "-wallet < 0",
        "-(-needs['hunger']) <= +1",
    ],
)
def test_the_language_is_taken_as_written(text: str) -> None:
    assert checked(text) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no expression"),
        ("occupied ==", "is no expression"),
        ("x = 1", "is no expression"),
        ("(" * 5000, "is no expression"),
        ("len(queue) > 1", "'len\\(queue\\)' is not part of the language"),
        ("1 + 2 == 3", "'1 \\+ 2' is not part of the language"),
        ("__import__('os')", "is not part of the language"),
        ("lambda: 1", "is not part of the language"),
        ("-occupied", "'occupied' is no number; a sign needs one"),
        ("-queue == 1", "'queue' is no number; a sign needs one"),
        ("queue > 1", "only they have an order; it has a queue_length"),
        ("occupied < 1", "'occupied' is no number, and only they have an order"),
        ("wallet in 3", "'3' is no list"),
        ("agent.id in 'queue'", "is no list"),
        ("wallet" + " " * 1000, "has more than 1000 characters"),
        ("0 < wallet < 1", "compares twice"),
        ("wallet is 1", "compares in a way"),
        ("None", "is not part of the language"),
        ("wallt > 1", "there is no name 'wallt'; did you mean 'wallet'"),
        ("needs.hungr > 1", "did you mean 'needs.hunger'"),
        ("needs['thirst'] > 1", "there is no name 'needs.thirst'"),
        ("needs[0] > 1", "there is no name"),
        ("occupied.__class__ == 1", "there is no name 'occupied.__class__'"),
        ("meal", "there is no name 'meal'"),
    ],
)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_what_is_not_in_it_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        checked(text)
