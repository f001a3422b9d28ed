"""`astrarium esper`: networks that grow, put to the test."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

import cyclopts

from astrarium.cli import esper_asking, esper_tasks, esper_watch
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


@app.command
def grow(
    task: Annotated[str, cyclopts.Parameter(name="TASK")] = _DEFAULT_TASKS[0],
    /,
    *,
    controller: Controller = "heuristic_probe",
    hosts: int = 4,
    epochs: int = 120,
    seed: int = 0,
    gates: Literal["permissive", "strict"] = "permissive",
    reward_mode: RewardMode = "shaped",
    root: Path = Path("runs"),
    run: str | None = None,
) -> int:
    """Let hosts grow under a scripted controller, into a run folder that can be watched.

    Everything that happens is told in its world_events.jsonl while it happens.

    Parameters
    ----------
    task
        As `astrarium esper tasks` lists them.
    controller
        Who decides.
    hosts
        How many hosts grow, each from weights of its own.
    epochs
        Of every host.
    seed
        Hosts and controllers draw from it.
    gates
        What seeds must show before they move on: safety only, or quality as well.
    reward_mode
        How decisions are rewarded; nothing learns from it here.
    root
        Folder of runs.
    run
        The name of the run; after the moment and the commit unless told.
    """
    # Here, so that listing commands does not wait for torch.
    from astrarium.cli import esper_grow
    from astrarium.esper.entry import EsperConfig
    from astrarium.esper.growing import Growth

    config = parse_config(
        EsperConfig,
        {"epochs": epochs, "strict_gates": gates == "strict", "reward_mode": reward_mode},
    )
    growth = Growth(
        task=task,
        controller=controller,
        hosts=arguments.count("hosts", hosts),
        seed=arguments.seed(seed),
        config=config,
    )
    return esper_grow.run(growth, root, run)
