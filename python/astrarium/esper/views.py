"""Runs of Esper as SQL views, generated from the table of happenings.

Everything is read into memory anew for each question, by a database that may touch no file.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import Any, Final

from astrarium.esper.contracts.happening import Happening
from astrarium.esper.contracts.happenings import TABLE

_SCALARS: Final[Mapping[Any, str]] = {
    bool: "BOOLEAN",
    int: "BIGINT",
    float: "DOUBLE",
    str: "VARCHAR",
}
_WIDE: Final = frozenset({"seed", "episode_seed"})
"""Whole numbers of 64 bits without a sign."""
_STARTED: Final = "started"

DERIVED: Final[Mapping[str, str]] = {
    "runs": """
        SELECT m.run_id, m.status, m.world, s.task, s.controller, s.n_envs, s.max_epochs,
            s.max_rounds, s.seed, s.topology, s.host_params, s.seed_limit, s.gates, s.reward_mode,
            s.budget_epochs, s.device, s.lr, s.clip_ratio, s.entropy_coef, s.slots,
            m.env_steps_total, m.target_env_steps, m.started_at, m.finished_at
        FROM run_metadata m LEFT JOIN started s USING (run_id)""",
    "seed_epochs": """
        SELECT run_id, round, env, episode, epoch, val_accuracy,
            one->>'$.slot_id' AS slot_id, one->>'$.seed_id' AS seed_id,
            one->>'$.blueprint' AS blueprint, one->>'$.stage' AS stage,
            (one->>'$.epochs_in_stage')::BIGINT AS epochs_in_stage,
            (one->>'$.alpha')::DOUBLE AS alpha, (one->>'$.params')::BIGINT AS params,
            (one->>'$.contribution')::DOUBLE AS contribution,
            (one->>'$.accuracy_without')::DOUBLE AS accuracy_without,
            (one->>'$.gradient_health')::DOUBLE AS gradient_health
        FROM (SELECT *, unnest(json_extract(seeds, '$[*]')) AS one FROM epochs)""",
    "phase_occupancy": """
        SELECT run_id, env, episode, slot_id, stage, count(*) AS epochs,
            count(*) / max(length) AS share
        FROM seed_epochs JOIN (
            SELECT run_id, env, episode, max(epoch) AS length FROM epochs GROUP BY ALL
        ) USING (run_id, env, episode)
        GROUP BY run_id, env, episode, slot_id, stage""",
    "rewards": """
        SELECT run_id, round, env, episode, epoch, op, effective_op, success,
            term.key AS term, term.value::DOUBLE AS value
        FROM decisions, json_each(decisions.components) AS term""",
    "trends": """
        SELECT run_id, round, avg_accuracy, rolling_accuracy, avg_reward,
            avg_accuracy - lag(avg_accuracy) OVER (PARTITION BY run_id ORDER BY round) AS change,
            value_loss, entropy, approx_kl
        FROM batch_epochs LEFT JOIN ppo_updates USING (run_id, round)""",
    "run_confounders": """
        SELECT r.run_id, r.task, r.controller, r.seed, r.n_envs, r.max_epochs, r.gates,
            r.reward_mode, r.device, r.budget_epochs, m.commit, m.resumes, m.machine
        FROM runs r JOIN run_metadata m USING (run_id)""",
    "reward_calibration": """
        SELECT run_id, reward_mode, count(*) AS episodes, avg(episode_reward) AS reward_mean,
            avg(final_accuracy) AS accuracy_mean,
            corr(episode_reward, final_accuracy) AS reward_accuracy_corr,
            corr(episode_reward, param_ratio) AS reward_size_corr
        FROM episode_outcomes GROUP BY run_id, reward_mode""",
}
"""Views that put others together."""

SUMMARIES: Final[Mapping[str, str]] = {
    "raw_events": "every line, as it was written",
    "runs": "one row a run: what it is, and how it stands",
    "seed_epochs": "one row for each seed and epoch",
    "phase_occupancy": "how many epochs each slot spent in each stage",
    "rewards": "one row for each term of each reward",
    "trends": "rounds beside those before them",
    "run_confounders": "what may differ between runs besides what is compared",
    "reward_calibration": "whether rewards go with what is wanted",
    "seed_lifecycle": "germinations, stages, gates, fossils and prunes",
    "anomalies": "what should be looked at",
}


def view_kinds() -> dict[str, list[type[Happening]]]:
    """Which kinds each generated view shows."""
    found: dict[str, list[type[Happening]]] = {}
    for one in TABLE.values():
        found.setdefault(_STARTED if one.view == "runs" else one.view, []).append(one)
    return found


def columns_of(kinds: list[type[Happening]]) -> dict[str, str]:
    """The columns of a view and their SQL types: all fields of its kinds."""
    found: dict[str, str] = {}
    for kind in kinds:
        hints = typing.get_type_hints(kind)
        for name in kind.__struct_fields__:
            found.setdefault(name, sql_type(name, hints[name]))
    return found


def sql_type(name: str, hint: Any) -> str:
    """How a field is seen in SQL; what has parts of its own stays JSON."""
    origin = typing.get_origin(hint)
    parts: list[Any] = [one for one in typing.get_args(hint) if one is not types.NoneType]
    if origin is types.UnionType and len(parts) == 1:
        return sql_type(name, parts[0])
    if origin is typing.Literal:
        return "VARCHAR"
    if origin is tuple and parts[0] in _SCALARS:
        return f"{_SCALARS[parts[0]]}[]"
    if hint is int and name in _WIDE:
        return "UBIGINT"
    return _SCALARS.get(hint, "JSON")


def view_sql() -> dict[str, str]:
    """Every view but raw_events, in an order in which each finds those it needs."""
    made = {name: _generated(kinds) for name, kinds in view_kinds().items()}
    return {**made, **DERIVED}


def _generated(kinds: list[type[Happening]]) -> str:
    columns = columns_of(kinds)
    severity = "severity" if columns.pop("severity", None) else ""
    del columns["at"]  # a word of SQL itself; the row has it as written_at
    shown = ", ".join(f"{_read(name, kind)} AS {name}" for name, kind in columns.items())
    grave = f"coalesce(body->>'$.{severity}', severity)" if severity else "severity"
    names = ", ".join(f"'{one.__struct_config__.tag}'" for one in kinds)
    return (
        f"SELECT run_id, line, kind, label, {grave} AS severity, written_at, {shown} "
        f"FROM raw_events WHERE kind IN ({names})"
    )


def _read(name: str, kind: str) -> str:
    if kind.endswith("[]"):
        return f"CAST(body->'$.{name}' AS {kind})"
    if kind == "JSON":
        return f"body->'$.{name}'"
    return f"(body->>'$.{name}')::{kind}"


def view_names() -> tuple[str, ...]:
    """Every view a question may be asked of."""
    return tuple(sorted({"raw_events", *view_sql()} - {_STARTED}))


def summary_of(view: str) -> str:
    """What a view shows, in a few words."""
    kinds = view_kinds().get(view, [])
    said = (kinds[0].__doc__ or "").split(".")[0].split(";")[0] if kinds else ""
    return SUMMARIES.get(view, said[:1].lower() + said[1:])
