"""What happens in a run as typed events, and the places that follow it besides its folder.

A sink is fed from the files of the run by a thread of its own (`Follower`), so none of them can
slow, block or break a training. The libraries they write for are imported on first use.
"""

from astrarium.telemetry.choosing import chosen_sinks
from astrarium.telemetry.events import Event, EventError, UnknownEventError, decode, encode
from astrarium.telemetry.following import Follower, SinkReport, feed
from astrarium.telemetry.sinks import Sink

__all__ = [
    "Event",
    "EventError",
    "Follower",
    "Sink",
    "SinkReport",
    "UnknownEventError",
    "chosen_sinks",
    "decode",
    "encode",
    "feed",
]
