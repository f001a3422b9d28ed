"""Towns from files: includes, bounds, and errors that say where to look."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from astrarium import ConfigError
from astrarium.worlds.townlet import TownletConfig, load
from astrarium.worlds.townlet.documents import BYTES_MAX, DEPTH_MAX
from astrarium.worlds.townlet.loading import named
from astrarium.worlds.townlet.sources import FILES_MAX, NESTING_MAX, SourceError

BED = "- { type: object, id: bed_1, object_type: bed, position: [1, 2] }\n"


def town(folder: Path, text: str, name: str = "town.yaml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def refusal(path: Path) -> SourceError:
    with pytest.raises(SourceError) as caught:
        load(path)
    assert isinstance(caught.value, ConfigError)
    return caught.value


def test_a_file_changes_what_it_names(tmp_path: Path) -> None:
    loaded = load(town(tmp_path, "seed: 7\nenv: {max_ticks: 50}\n"))
    assert loaded.label == "town"
    assert loaded.seed == 7
    assert loaded.config.env.max_ticks == 50
    assert loaded.config.model_copy(update={"env": TownletConfig().env}) == TownletConfig()
    text = (tmp_path / "town.yaml").read_bytes()
    (file,) = loaded.files
    assert (file.file, file.sha256) == ("town.yaml", hashlib.sha256(text).hexdigest())


def test_an_empty_file_lacks_a_seed(tmp_path: Path) -> None:
    assert str(refusal(town(tmp_path, "{}\n"))) == (
        "town.yaml:1: seed is missing; give an integer, so that the town can be rerun"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seed: -1\n", "town.yaml:1: seed is -1 (allowed: an integer from 0 to 1844674"),
        ("seed: true\n", "town.yaml:1: seed is True"),
        ("seed: 1\nlabel: My Town\n", "town.yaml:2: label is 'My Town' (allowed:"),
        (
            "seed: 1\neconomy:\n  meal_csot: 1\n",
            "town.yaml:3: unknown key 'economy.meal_csot'; did you mean 'meal_cost'?",
        ),
        (
            "seed: 1\neconomy:\n  rent_per_day: 1.5\n  meal_cost: 99\n",
            "town.yaml:4: economy.meal_cost is 99: input should be less than or equal to 10 "
            "(allowed: at least 0, at most 10)",
        ),
        (
            "seed: 1\njobs:\n  spy: {start_tick: 1}\n",
            "town.yaml:3: jobs.spy.end_tick is missing; give it a value (allowed: a whole number, ",
        ),
        (
            "seed: 1\nperturbations:\n  specs:\n    a:\n      kind: price_spike\n"
            "      prob_per_day: 0\n      cooldown_ticks: 0\n      duration: [1, 2]\n"
            "      targets: [moon]\n",
            "town.yaml:9: perturbations.specs.a.targets.0: 'moon' is no price target",
        ),
        (
            "seed: 1\neconomy:\n  stipend_per_day: 0\n  meal_cost: 3\n",
            "town.yaml:4: economy.meal_cost: grocer: a day's wage of 3.6 (0.02 for 180 ticks) must",
        ),
        (
            "seed: 1\neconomy: {meal_cost: 0.4}\njobs:\n  spy:\n    {start_tick: 0, end_tick: 100,"
            " lateness_penalty: 0, location: [34, 36],\n    wage_rate: 1}\n",
            "town.yaml:6: jobs.spy.wage_rate: a day's wage of 100 (1 for 100 ticks) must lie",
        ),
        ("- 1\n", "town.yaml: holds a list; a town is a mapping of nodes"),
        ("seed: [\n", "town.yaml:2: is not YAML: "),
        ("seed: 1\nseed: 2\n", "town.yaml:2: gives the key 'seed' twice"),
        ("a: {b: 1, b: 2}\n", "town.yaml:1: gives the key 'a.b' twice"),
        ("1: 2\n", "town.yaml:1: has the key 1; keys are words"),
        ("? [a]\n: 2\n", "town.yaml:1: has the key None; keys are words"),
        ("a: &x 1\nb: *x\n", "town.yaml:2: has an alias; write the value out"),
        ("a: !!python/object/apply:os.getcwd []\n", "town.yaml:1: has the tag "),
        ("a: !thing 1\n", "town.yaml:1: has the tag '!thing'"),
        ("a: !!binary aGk=\n", "town.yaml:1: has the tag "),
        ("a: 1\n--- \nb: 2\n", "town.yaml:2: is not YAML: "),
        ("include: 7\n", "town.yaml:1: includes 7; give a path"),
        ("include: nowhere.yaml\n", "includes 'nowhere.yaml', but nowhere.yaml is no file"),
        ("include: none/*.yaml\n", "includes 'none/*.yaml', which matches no file"),
        ("include: '**/*.yaml'\n", "** is not taken"),
    ],
)
def test_a_bad_file_is_refused_with_place_and_remedy(tmp_path: Path, text: str, words: str) -> None:
    assert words in str(refusal(town(tmp_path, text)))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("stabilty", "stability"),
        ("snapshots", "snapshot"),
        ("lable", "label"),
        ("includes", "include"),
        ("sed", "seed"),
        ("econmy", "economy"),
    ],
)
def test_a_misspelt_heading_is_told_with_the_nearest(
    tmp_path: Path, written: str, meant: str
) -> None:
    words = str(refusal(town(tmp_path, f"seed: 1\n{written}: 2\n")))
    (known,) = words.splitlines()
    assert known.startswith(
        f"town.yaml:2: unknown key '{written}'; did you mean '{meant}'? (known keys: include, "
        "label, seed, stability, snapshot, "
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "seed: 1\nenv: [1, 2]\n",
            "town.yaml:2: env is [1, 2]: must be a mapping (known keys: max_ticks)",
        ),
        (
            "seed: 1\nperturbations: {enabled: 'yes'}\n",
            "town.yaml:2: perturbations.enabled is 'yes': input should be a valid boolean "
            "(allowed: true, false)",
        ),
        (
            f"seed: 1\nworld: {{layout: {['#' * 48] * 48}}}\n",
            "affordances.objects.0.position: bed_1 at (4, 4) is blocked by world.layout",
        ),
        ("seed: 1\ninclude:\n  - town.yaml\n", "town.yaml:2: includes itself: town.yaml -> town"),
        (
            "seed: 1\nworld: {bus_stop: 5}\n",
            "town.yaml:2: world.bus_stop is 5: must be a list "
            "(allowed: a list of 2 whole numbers, each at least 0, at most 127)",
        ),
        (
            "seed: 1\nworld: {bus_stop: [1, 2, 3]}\n",
            "town.yaml:2: world.bus_stop is [1, 2, 3]: must have at most 2 entries (allowed: a",
        ),
        (
            "seed: 1\nlifecycle: {age_out_days: 5}\n",
            "town.yaml:2: lifecycle.age_out_days is 5: must be a list "
            "(allowed: a list of 2 whole numbers, each at least 1, at most 10000)",
        ),
        (
            "seed: 1\njobs: [1, 2]\n",
            "town.yaml:2: jobs is [1, 2]: must be a mapping "
            "(allowed: a mapping with at most 16 entries from texts to mappings with the keys s",
        ),
        (
            "seed: 1\njobs:\n  spy: {start_tick: 0, end_tick: 9, lateness_penalty: 0}\n",
            "town.yaml:3: jobs.spy.location is missing; give it a value "
            "(allowed: a list of 2 whole numbers, each at least 0, at most 127)",
        ),
        (
            "seed: 1\nperturbations:\n  specs:\n"
            "    a: {kind: blackout, prob_per_day: 0, cooldown_ticks: 0}\n",
            "town.yaml:4: perturbations.specs.a.duration is missing; give it a value "
            "(allowed: a list of 2 whole numbers, each at least 1, at most 100000)",
        ),
    ],
)
def test_words_are_those_of_whoever_writes_files(tmp_path: Path, text: str, words: str) -> None:
    assert words in str(refusal(town(tmp_path, text)))


def test_complaints_are_typed(tmp_path: Path) -> None:
    error = refusal(town(tmp_path, "seed: 1\nenv:\n  max_ticks: 0\ntime: {ticks_per_day: 1}\n"))
    assert [(str(one.place), one.path) for one in error.complaints] == [
        ("town.yaml:4", ("time", "ticks_per_day")),
        ("town.yaml:3", ("env", "max_ticks")),
    ]


def test_words_are_words(tmp_path: Path) -> None:
    """`on`, `off` and `OFF` are truths in old YAML, and no stage or switch would survive that."""
    text = (
        "seed: 1\nfeatures:\n  stages: {relationships: OFF, social_rewards: OFF}\n"
        "  systems: {lifecycle: off}\nlifecycle: {training_mode: on}\n"
        "rewards: {needs_scale: 2e-2}\n"
    )
    config = load(town(tmp_path, text)).config
    assert config.features.stages.relationships == "OFF"
    assert config.features.systems.lifecycle == "off"
    assert config.lifecycle.training_mode == "on"
    assert config.rewards.needs_scale == 0.02


@pytest.mark.parametrize("seed", [10**18, 2**63, 2**64 - 1])
def test_every_seed_a_world_takes_may_stand_in_a_file(tmp_path: Path, seed: int) -> None:
    assert load(town(tmp_path, f"seed: {seed}\n")).seed == seed
    assert f"seed is {2**64}" in str(refusal(town(tmp_path, f"seed: {2**64}\n")))


@pytest.mark.parametrize("value", ["'5'", "5.0", "yes", ".nan", "0x10", "1_000", "12:30"])
def test_only_plain_numbers_are_counts(tmp_path: Path, value: str) -> None:
    assert "env.max_ticks is" in str(
        refusal(town(tmp_path, f"seed: 1\nenv: {{max_ticks: {value}}}"))
    )


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    assert "town.yaml: cannot be read: No such file" in str(refusal(tmp_path / "town.yaml"))
    assert "cannot be read: Is a directory" in str(refusal(tmp_path))
    (tmp_path / "latin.yaml").write_bytes(b"label: \xe9\n")
    assert str(refusal(tmp_path / "latin.yaml")) == "latin.yaml: is not UTF-8 text"


def test_size_and_depth_are_bounded(tmp_path: Path) -> None:
    exact = town(tmp_path, "seed: 1\n#" + "x" * (BYTES_MAX - 9))
    assert load(exact).seed == 1
    large = town(tmp_path, "seed: 1\n#" + "x" * (BYTES_MAX - 8))
    assert f"is larger than {BYTES_MAX} bytes" in str(refusal(large))
    for brackets in (DEPTH_MAX, 20_000):
        deep = town(tmp_path, "a: " + "[" * brackets + "]" * brackets)
        assert f"is nested more than {DEPTH_MAX} deep" in str(refusal(deep))


def test_includes_are_merged_in_order_and_the_file_wins(tmp_path: Path) -> None:
    town(tmp_path, "economy: {stove_stock_max: 1, shelf_restock: 1, fridge_restock: 1}", "b/1.yaml")
    town(tmp_path, "economy: {stove_stock_max: 2, shelf_restock: 2}", "b/2.yaml")
    path = town(tmp_path, "seed: 1\ninclude: [b/*.yaml]\neconomy: {stove_stock_max: 3}\n")
    economy = load(path).config.economy
    assert (economy.stove_stock_max, economy.shelf_restock, economy.fridge_restock) == (3, 2, 1)
    assert [file.file for file in load(path).files] == ["town.yaml", "b/1.yaml", "b/2.yaml"]


def test_a_fault_in_an_include_names_that_file(tmp_path: Path) -> None:
    town(tmp_path, "queue_fairness:\n  queue_nodes: 17\n", "parts/q.yaml")
    path = town(tmp_path, "seed: 1\ninclude: parts/q.yaml\n")
    assert str(refusal(path)).startswith("parts/q.yaml:2: queue_fairness.queue_nodes is 17: ")


def test_includes_start_from_the_file_that_names_them(tmp_path: Path) -> None:
    town(tmp_path, "include: near.yaml\n", "parts/far.yaml")
    town(tmp_path, "seed: 5\n", "parts/near.yaml")
    assert load(town(tmp_path, "include: parts/far.yaml\n")).seed == 5


def test_the_same_include_twice_is_no_circle(tmp_path: Path) -> None:
    town(tmp_path, "seed: 5\n", "a.yaml")
    town(tmp_path, "include: a.yaml\n", "b.yaml")
    assert load(town(tmp_path, "include: [a.yaml, b.yaml]\n")).seed == 5


def test_circles_are_refused(tmp_path: Path) -> None:
    assert "includes itself: town.yaml -> town.yaml" in str(
        refusal(town(tmp_path, "include: town.yaml\n"))
    )
    town(tmp_path, "include: b.yaml\n", "a.yaml")
    town(tmp_path, "include: a.yaml\n", "b.yaml")
    path = town(tmp_path, "include: a.yaml\n")
    assert "includes itself: town.yaml -> a.yaml -> b.yaml -> a.yaml" in str(refusal(path))
    town(tmp_path, "- include: list.yaml\n", "list.yaml")
    path = town(tmp_path, "affordances: {affordances_file: list.yaml}\n")
    assert "town.yaml -> list.yaml -> list.yaml" in str(refusal(path))


def test_nesting_and_number_of_files_are_bounded(tmp_path: Path) -> None:
    for depth in range(NESTING_MAX):
        town(tmp_path, f"include: n{depth + 1}.yaml\n", f"n{depth}.yaml")
    town(tmp_path, "seed: 3\n", f"n{NESTING_MAX}.yaml")
    assert load(tmp_path / "n1.yaml").seed == 3
    assert f"more than {NESTING_MAX} deep" in str(refusal(tmp_path / "n0.yaml"))
    for number in range(FILES_MAX):
        town(tmp_path, "seed: 4\n", f"many/{number}.yaml")
    path = town(tmp_path, "include: many/*.yaml\n")
    assert f"a town has at most {FILES_MAX}" in str(refusal(path))
    (tmp_path / "many/0.yaml").unlink()
    assert load(path).seed == 4


@pytest.mark.parametrize("where", ["include: {}\n", "affordances: {{affordances_file: {}}}\n"])
def test_no_path_leads_out_of_the_folder(tmp_path: Path, where: str) -> None:
    outside = town(tmp_path, "seed: 1\n", "secret.yaml")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link.yaml").symlink_to(outside)
    (inside / "folder").symlink_to(tmp_path)
    for way in ("../secret.yaml", str(outside), "link.yaml", "folder/secret.yaml", "l*.yaml"):
        error = refusal(town(inside, where.format(f"'{way}'")))
        assert "outside the folder of the town" in str(error), way


def test_a_manifest_file_is_split_into_objects_and_affordances(tmp_path: Path) -> None:
    town(tmp_path, BED, "parts/beds.yaml")
    town(
        tmp_path,
        "- include: beds.yaml\n"
        "- {id: nap, object_type: bed, duration: 5, effects: {energy: 0.1}}\n",
        "parts/list.yaml",
    )
    text = (
        "seed: 1\naffordances: {affordances_file: parts/list.yaml}\njobs: {}\n"
        "features: {allow_unlivable: true}\nperturbations: {specs: {}}\n"
    )
    manifest = load(town(tmp_path, text)).config.affordances
    assert [entry.id for entry in manifest.objects] == ["bed_1"]
    assert [entry.id for entry in manifest.affordances] == ["nap"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (BED.replace("bed_1", "bed 1"), "list.yaml:1: affordances.objects.bed 1.id is 'bed 1'"),
        (BED + BED.replace("position", "postion"), "did you mean 'position'?"),
        (BED.replace("object,", "thing,"), "list.yaml:1: type is 'thing' (allowed: 'object', "),
        ("- 7\n", "list.yaml:1: entry 1 is 7; it must be a mapping"),
        ("a: 7\n", "list.yaml: holds a mapping; a manifest is a list of entries"),
        (BED + BED, "list.yaml:2: affordances.objects.bed_1.id: the id 'bed_1' is given twice"),
        ("- {id: a, duration: 1, effects: {hungr: 1}}\n", "did you mean 'hunger'?"),
        (
            BED + "\n- id: nap\n  duration: 1\n  effects: {energy: 1}\n  preconds: [awake]\n",
            "list.yaml:6: affordances.affordances.nap.preconds.0 is 'awake': there is no name",
        ),
    ],
)
def test_a_bad_manifest_is_refused(tmp_path: Path, text: str, words: str) -> None:
    town(tmp_path, text, "list.yaml")
    path = town(tmp_path, "seed: 1\naffordances: {affordances_file: list.yaml}\n")
    assert words in str(refusal(path))


def test_a_manifest_is_a_file_or_written_out(tmp_path: Path) -> None:
    town(tmp_path, BED, "list.yaml")
    path = town(tmp_path, "affordances: {affordances_file: list.yaml, objects: []}\n")
    assert "affordances has a file and also objects; give one or the other" in str(refusal(path))


def test_a_refused_load_changes_nothing(tmp_path: Path) -> None:
    before = load("default")
    refusal(town(tmp_path, "seed: 1\neconomy: {meal_cost: 9}\n"))
    assert load("default") == before
    assert TownletConfig() == before.config


def test_an_unknown_town_is_named_with_the_nearest() -> None:
    with pytest.raises(
        ConfigError, match=r"no town is called 'queue_conflct'; did you mean 'queue"
    ):
        load("queue_conflct")
    with pytest.raises(ConfigError, match=r"for a file of yours give a pathlib\.Path"):
        load("my/town.yaml")


def test_a_town_is_found_as_people_type_it(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yml"
    mine.write_text("seed: 5\n", "utf-8")
    assert named(str(mine)) == load(mine)
    assert named("harsh") == load("harsh")
    with pytest.raises(ConfigError, match=r"did you mean 'harsh'.*its path, which ends in \.yaml"):
        named("hash")
    with pytest.raises(SourceError, match=r"harsh\.yaml: cannot be read"):
        named("harsh.yaml")


def test_the_yaml_library_waits_until_a_town_is_needed() -> None:
    code = (
        "import sys, astrarium.worlds.townlet as t\n"
        "assert 'yaml' not in sys.modules and 'torch' not in sys.modules\n"
        "t.load('default')\nassert 'yaml' in sys.modules\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
