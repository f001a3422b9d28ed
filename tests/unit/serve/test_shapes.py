"""What the API's document says of rows and entries is what is sent."""

import msgspec
import pydantic
import pytest

from astrarium.runs import ReplayEntry
from astrarium.serve import shapes
from astrarium.serve.catalogue import Row


@pytest.mark.parametrize(("sent", "told"), [(ReplayEntry, shapes.ReplayEntry), (Row, shapes.Run)])
def test_a_form_has_the_fields_that_are_encoded(
    sent: type[msgspec.Struct], told: type[pydantic.BaseModel]
) -> None:
    """A field that only the encoder knows would reach readers without a word about it."""
    fields = {one.name: one.type for one in msgspec.structs.fields(sent)}
    forms = {name: one.annotation for name, one in told.model_fields.items()}
    assert list(forms) == list(fields)
    for name, kind in fields.items():
        assert str(forms[name]).split(".")[-1] == str(kind).split(".")[-1], name
    assert all(one.is_required() for one in told.model_fields.values())
