"""Where seeds and gates are made, and looked over before a gate is asked about them."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from torch import nn

from astrarium.esper import alpha as ramps
from astrarium.esper.blending import Gate
from astrarium.esper.blueprints import allowed_blueprints, check_shape, find_blueprint, make_seed
from astrarium.esper.contracts.actions import Blend
from astrarium.esper.contracts.errors import BlueprintError
from astrarium.esper.contracts.heads import BLUEPRINTS
from astrarium.esper.contracts.seeds import Topology
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.figures import first_metrics
from astrarium.esper.seed_state import ModuleFacts, Scene, SeedState
from astrarium.esper.slot import Slot
from astrarium.esper.weights import grown, parameter_count


def why_not_blueprint(name: str, topology: Topology) -> str:
    """Why a blueprint cannot be germinated in such a host; a name nobody knows raises."""
    if name in allowed_blueprints(topology):
        return ""
    if name not in BLUEPRINTS:
        find_blueprint(name, topology)
    return f"{name} is not for a {topology} host"


def new_seed(
    slot: Slot,
    blueprint: str,
    operator: Blend,
    generator: np.random.Generator,
    device: torch.device,
) -> nn.Module:
    """A seed for a slot. One that multiplies begins quietly: its factor is 1 everywhere."""
    found = find_blueprint(blueprint, slot.topology)
    quiet = operator is Blend.MULTIPLY
    return make_seed(found, slot.spec.channels, generator, device, quiet)


def new_gate(slot: Slot, generator: np.random.Generator, device: torch.device) -> Gate:
    """A gate for a slot."""
    return grown(lambda: Gate(slot.spec.channels, slot.topology), generator, device)


def facts_of(slot: Slot) -> ModuleFacts:
    """What a slot holds in fact."""
    if slot.seed is None:
        return ModuleFacts(optimiser_present=slot.descent is not None)
    facts = facts_about(slot, slot.state.blueprint, slot.seed)
    return replace(facts, optimiser_present=slot.descent is not None)


def facts_about(slot: Slot, name: str, seed: nn.Module) -> ModuleFacts:
    """What can be said of a seed for a slot."""
    blueprint, width = find_blueprint(name, slot.topology), slot.spec.channels
    try:
        check_shape(blueprint, width, seed)
        interface_ok = True
    except BlueprintError:
        interface_ok = False
    size = parameter_count(seed)
    return ModuleFacts(
        attached=True,
        parameters_finite=all(bool(torch.isfinite(p).all()) for p in seed.parameters()),
        interface_ok=interface_ok,
        layers_present=size == blueprint.parameters(width),
        parameter_count=size,
    )


def planted_state(slot: Slot, blueprint: str, operator: Blend, scene: Scene) -> SeedState:
    """The state of a seed that never grew but was there from the beginning."""
    return SeedState(
        slot_id=slot.spec.slot_id,
        stage=Stage.FOSSILIZED,
        previous_stage=Stage.HOLDING,
        seed_id=scene.next_seed_id,
        blueprint=blueprint,
        blend=operator,
        alpha=ramps.settled(slot.state.alpha, 1.0),
        alpha_at_tick=1.0,
        metrics=first_metrics(scene),
    )
