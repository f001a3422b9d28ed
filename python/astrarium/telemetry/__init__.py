"""Typed events of a run, and sinks that export them: TensorBoard, Weights & Biases, Parquet.

A thread (`Follower`) feeds each sink from the files of the run, so a sink cannot slow, block or
break a training. The libraries of sinks are imported on first use.
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
