"""World generation: nodes, lanes, asteroids.

Runs once per reset, before the market is opened. The order of draws is fixed; every function
below draws exactly what its docstring says.
"""

from __future__ import annotations

from collections import deque

from astrarium.worlds.prospector import layout

from . import f32
from .draws import Draws
from .f32 import ZERO
from .rules import Rules
from .state import Asteroid, Lane, Node


def generate_belt(rules: Rules, draws: Draws) -> list[Node]:
    """One word for the number of nodes, then nodes, tree, extra edges and asteroids in turn."""
    node_count = draws.integer(rules.node_count_min, rules.node_count_end)
    nodes = [Node(layout.NODE_STATION, ZERO, ZERO)]
    nodes += [_field_node(rules, draws) for _ in range(1, node_count)]
    for node in range(1, node_count):
        link(rules, draws, nodes, node, draws.integer(0, node))
    for _ in range(node_count):
        u = draws.integer(0, node_count)
        v = draws.integer(0, node_count)
        if u != v:
            link(rules, draws, nodes, u, v)
    measure_hops(nodes)
    for node in nodes[1:]:
        count = draws.integer(rules.asteroids_min, rules.asteroids_end)
        node.asteroids = [_asteroid(rules, draws) for _ in range(count)]
    return nodes


def _field_node(rules: Rules, draws: Draws) -> Node:
    """Three words: kind, hazard, pirate."""
    is_hazard = draws.unit() < rules.hazard_node_chance
    hazard = draws.uniform(rules.hazard_low, rules.hazard_high)
    pirate = draws.uniform(rules.pirate_low, rules.pirate_high)
    if not is_hazard:
        return Node(layout.NODE_CLUSTER, hazard, pirate)
    return Node(
        layout.NODE_HAZARD, hazard + rules.hazard_node_hazard, pirate + rules.hazard_node_pirate
    )


def link(rules: Rules, draws: Draws, nodes: list[Node], u: int, v: int) -> None:
    """Join two nodes both ways. Four words, or none when they are joined already or one is full.

    A node whose only tree edge is refused here may stay unreachable; v1 keeps that.
    """
    a, b = nodes[u], nodes[v]
    if any(lane.to == v for lane in a.lanes):
        return
    if layout.MAX_NEIGHBORS in (len(a.lanes), len(b.lanes)):
        return
    ticks = draws.integer(rules.lane_ticks_min, rules.lane_ticks_end)
    fuel = draws.uniform(rules.lane_fuel_low, rules.lane_fuel_high)
    weight = rules.lane_threat_weight
    threat = f32.clamp01(
        weight * (a.hazard + b.hazard)
        + weight * (a.pirate + b.pirate)
        + draws.normal(ZERO, rules.lane_threat_sd)
    )
    a.lanes.append(Lane(v, ticks, fuel, threat, rules.threat_est_start))
    b.lanes.append(Lane(u, ticks, fuel, threat, rules.threat_est_start))


def measure_hops(nodes: list[Node]) -> None:
    """Breadth-first distance from the station; nodes out of reach keep the maximum. No words."""
    nodes[0].hops = 0
    queue = deque([0])
    reached = {0}
    while queue:
        node = nodes[queue.popleft()]
        for lane in node.lanes:
            if lane.to not in reached:
                reached.add(lane.to)
                nodes[lane.to].hops = node.hops + 1
                queue.append(lane.to)


def _asteroid(rules: Rules, draws: Draws) -> Asteroid:
    """Twenty words. The first estimate is a fresh guess that knows nothing of the truth."""
    composition = draws.dirichlet6()
    richness = f32.clamp(
        draws.lognormal(rules.richness_mean, rules.richness_sd),
        rules.richness_low,
        rules.richness_high,
    )
    stability = draws.beta32()
    scan_noise = draws.uniform(rules.scan_noise_low, rules.scan_noise_high)
    return Asteroid(
        composition=composition,
        richness=richness,
        stability=stability,
        scan_noise=scan_noise,
        composition_est=draws.dirichlet6(),
        stability_est=rules.stability_est_start,
        confidence=rules.confidence_start,
    )
