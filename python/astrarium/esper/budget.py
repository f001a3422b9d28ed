"""What an epoch of a bare host costs: the unit of every budget."""

from __future__ import annotations

from astrarium.esper.building import build_host
from astrarium.esper.macs import host_costs
from astrarium.esper.phases import TaskData
from astrarium.train.streams import stream


def host_epoch_macs(data: TaskData) -> float:
    """Multiply-accumulates of one epoch, validation included."""
    host = build_host(data.spec.host, stream(0, "esper.host"), data.device)
    macs, _ = host_costs(host, data.train.inputs[:1])
    return data.epoch_macs(macs, 1)
