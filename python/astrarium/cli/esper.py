"""`astrarium esper`: networks that grow, put to the test."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import cyclopts

from astrarium.cli import esper_asking, esper_tasks, esper_watch
from astrarium.cli.finding import REGROWABLE, find_run
from astrarium.errors import ConfigError
from astrarium.esper.contracts.rewards import RewardMode
from astrarium.worlds import arguments
from astrarium.worlds.config import parse_config

app: Final = cyclopts.App(name="esper", help="Networks that grow while they learn.")
# In a module of its own, which is imported on use: it loads torch.
app.command(
    "astrarium.cli.esper_harness:harness",
    name="harness",
    help="Run the drills of supervision, and measure what they take.",
)

for _command in (
    esper_asking.query,
    esper_asking.views,
    esper_asking.runs,
    esper_asking.overview,
    esper_asking.plot,
    esper_watch.watch,
):
    app.command(_command)

_DEFAULT_TASKS: Final = ("digits_impaired",)
Controller = Literal["heuristic", "heuristic_probe", "none", "random_policy", "random_growth"]
Names = Annotated[list[str] | None, cyclopts.Parameter(consume_multiple=True)]


app.command(esper_tasks.tasks)


@app.command(
    help_epilogue="The same command again goes on where it stopped; finished trials are kept in "
    "the root folder and never run twice."
)
def experiment(
    task: Annotated[list[str] | None, cyclopts.Parameter(name="TASKS")] = None,
    /,
    *,
    seeds: int = 10,
    first_seed: int = 3000,
    arms: Names = None,
    policies: Names = None,
    budget_epochs: int | None = None,
    workers: int = 2,
    device: Literal["cpu", "cuda"] = "cpu",
    root: Path = Path("experiments"),
    markdown: Path | None = None,
    json: Path | None = None,
    twice: bool = False,
) -> int:
    """Compare ways to grow a host at equal compute, on the same seeds.

    Every trial (an arm on a seed) runs until its budget of multiply-accumulates is spent.

    Parameters
    ----------
    task
        Tasks to run on, as `astrarium esper tasks` lists them; digits_impaired unless told.
    seeds
        How many seeds each arm runs on.
    first_seed
        The first; each next one is the next number. 3000 to 3019 and 4000 to 4019 are for
        acceptance: leave them alone while you change anything.
    arms
        Who takes part: host_only, random_policy, random_growth, heuristic, heuristic_probe,
        static_final, ppo; all of them unless told, ppo only with policies.
    policies
        Run folders of policies for the arm ppo, learnt by `astrarium train` on a task's world.
    budget_epochs
        What each arm may compute, in epochs of the host alone; as the task says unless told.
    workers
        Trials that run at the same time, one thread each. Results do not depend on it.
    device
        Where hosts are trained. Results are the same again on the processor only.
    root
        Folder of the journal, and of page and report unless told otherwise.
    markdown
        Where to write the page; its figures go beside it. experiment.md in the root unless told.
    json
        Where to write the report. experiment.json in the root unless told.
    twice
        Run every trial a second time and check that it comes out the same.
    """
    # Here, so that listing commands does not wait for torch.
    from astrarium.cli import esper_experiment
    from astrarium.esper.experiment.arms import ARMS, chosen_arms
    from astrarium.esper.experiment.learned import find_policy
    from astrarium.esper.experiment.plan import Plan

    learnt = tuple(find_policy(Path(folder)) for folder in policies or ())
    known = tuple(name for name, arm in ARMS.items() if learnt or arm.controller != "learned")
    budget = None if budget_epochs is None else arguments.count("budget_epochs", budget_epochs)
    begin, count = arguments.seed(first_seed, "first_seed"), arguments.count("seeds", seeds)
    plan = Plan(
        tasks=tuple(dict.fromkeys(task or _DEFAULT_TASKS)),
        arms=chosen_arms(known if arms is None else arms),
        seeds=tuple(range(begin, begin + count)),
        budget_epochs=budget,
        twice=twice,
        policies=learnt,
        device=device,
    )
    hands = arguments.count("workers", workers)
    return esper_experiment.run(plan, esper_experiment.places_in(root, markdown, json), hands)


@cyclopts.Parameter(name="*")
@dataclass(frozen=True, slots=True)
class GrowOptions:
    """What is grown, and how."""

    controller: Annotated[Controller, cyclopts.Parameter(help="Who decides.")] = "heuristic_probe"
    hosts: Annotated[
        int, cyclopts.Parameter(help="How many hosts grow, each from weights of its own.")
    ] = 4
    epochs: Annotated[int, cyclopts.Parameter(help="Of every host.")] = 120
    seed: Annotated[int, cyclopts.Parameter(help="Hosts and controllers draw from it.")] = 0
    gates: Annotated[
        Literal["permissive", "strict"],
        cyclopts.Parameter(
            help="What seeds must show before they move on: safety only, or quality as well."
        ),
    ] = "permissive"
    reward_mode: Annotated[
        RewardMode,
        cyclopts.Parameter(help="How decisions are rewarded; nothing learns from it here."),
    ] = "shaped"
    lift_fossil_isolation: Annotated[
        bool, cyclopts.Parameter(help="Let the layers before a fossil in a cnn learn through it.")
    ] = False
    strict_isolation: Annotated[
        bool,
        cyclopts.Parameter(
            help="Stop at the first isolation violation; otherwise it is counted, and a seed that "
            "is not finite is pruned."
        ),
    ] = False

    def settings(self) -> dict[str, Any]:
        """Return the settings of the world."""
        return {
            "epochs": self.epochs,
            "strict_gates": self.gates == "strict",
            "reward_mode": self.reward_mode,
            "lift_fossil_isolation": self.lift_fossil_isolation,
            "strict_isolation": self.strict_isolation,
        }


@app.command
def grow(
    task: Annotated[str | None, cyclopts.Parameter(name="TASK")] = None,
    /,
    *,
    options: GrowOptions | None = None,
    root: Path = Path("runs"),
    run: str | None = None,
    resume: str | None = None,
) -> int:
    """Let hosts grow under a scripted controller, into a run folder that can be watched.

    World events are written to world_events.jsonl while the run goes on.

    Parameters
    ----------
    task
        As `astrarium esper tasks` lists them; digits_impaired unless given.
    root
        Folder of runs.
    run
        The name of the run; after the moment and the commit unless given.
    resume
        Continue this run instead, from its last checkpoint: its id, its path, or `latest`.
    """
    # Here, so that listing commands does not wait for torch.
    from astrarium.cli import esper_grow

    if resume is not None:
        if any(one is not None for one in (task, options, run)):
            raise ConfigError(
                "--resume continues with the task and settings of the run; leave out all other "
                "options but --root"
            )
        return esper_grow.run_again(find_run(resume, root, REGROWABLE))
    from astrarium.esper.entry import EsperConfig
    from astrarium.esper.growing import Growth

    chosen = options or GrowOptions()
    growth = Growth(
        task=task or _DEFAULT_TASKS[0],
        controller=chosen.controller,
        hosts=arguments.count("hosts", chosen.hosts),
        seed=arguments.seed(chosen.seed),
        config=parse_config(EsperConfig, chosen.settings()),
    )
    return esper_grow.run(growth, root, run)
