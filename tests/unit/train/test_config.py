"""Settings: layered, frozen, and refused with advice."""

from __future__ import annotations

from pathlib import Path

import pydantic
import pytest

from astrarium import worlds
from astrarium.errors import ConfigError
from astrarium.esper import entry as esper
from astrarium.runs import documents
from astrarium.train.config import TrainConfig, layered, preset, preset_names, read_file
from astrarium.worlds import parse_config


def test_later_layers_win_key_by_key() -> None:
    config = layered(
        {"ppo": {"gamma": 0.9, "epochs": 7, "clip": 0.3}, "world": {"settings": {"a": 1, "b": 1}}},
        {"ppo": {"epochs": 8, "clip": 0.4}, "world": {"settings": {"b": 2}}},
        {"ppo": {"clip": 0.5}},
    )
    assert (config.ppo.gamma, config.ppo.epochs, config.ppo.clip) == (0.9, 8, 0.5)
    assert config.world.settings == {"a": 1, "b": 2}
    # What nobody named is as ever.
    assert config.ppo.minibatches == TrainConfig().ppo.minibatches
    assert config.run == TrainConfig().run


def test_layering_leaves_the_layers_alone() -> None:
    below = {"world": {"settings": {"a": 1}}}
    layered(below, {"world": {"settings": {"a": 2}, "worlds": 3}})
    assert below == {"world": {"settings": {"a": 1}}}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"pppo": {}}, "unknown key 'pppo'; did you mean 'ppo'"),
        ({"ppo": {"epoch": 3}}, "unknown key 'ppo.epoch'; did you mean 'epochs'"),
        ({"run": {"totl_env_steps": 3}}, "'run.totl_env_steps'; did you mean 'total_env_steps'"),
        ({"policy": {"hiden": [3]}}, "'policy.hiden'; did you mean 'hidden'"),
        ({"sinks": {"wanb": "online"}}, "'sinks.wanb'; did you mean 'wandb'"),
        ({"ppo": {"gamma": 1.5}}, r"ppo.gamma is 1.5.*at most 1"),
        ({"policy": {"memory": "lstn"}}, r"policy.memory is 'lstn'.*'lstm'"),
        ({"run": {"total_env_steps": 0}}, r"run.total_env_steps is 0.*at least 1"),
        ({"ppo": {"learning_rate": float("nan")}}, "ppo.learning_rate is nan"),
        ({"policy": {"groups": {"left": [-1]}}}, "policy.groups.left.0 is -1"),
        ({"policy": {"groups": {"left": []}}}, "'left' plays nobody"),
        ({"policy": {"groups": {"left": "0,x"}}}, "policy.groups.left.1 is 'x'"),
        ({"policy": {"hidden": [1 << 30]}}, "policy.hidden.0"),
        ({"run": {"id": "latest"}}, "'latest' always means the newest run"),
        ({"run": {"window_env_steps": 10**20}}, "run.window_env_steps"),
        ({"policy": {"groups": {"meter": [0]}}}, "'meter' cannot name a policy"),
        ({"policy": {"groups": {"a.b": [0]}}}, "'a.b' cannot name a policy"),
        ({"ppo": 3}, "ppo is 3"),
    ],
)
def test_what_is_wrong_is_named_with_its_remedy(given, words) -> None:
    with pytest.raises(ConfigError, match=words):
        layered(given)


def test_a_config_cannot_change() -> None:
    config = TrainConfig()
    with pytest.raises(pydantic.ValidationError, match="frozen"):
        config.ppo.gamma = 0.5
    with pytest.raises(pydantic.ValidationError, match="frozen"):
        config.run = config.run


def test_a_config_saved_with_a_run_comes_back_whole() -> None:
    config = layered(
        {
            "world": {"id": "lanterns-v1", "settings": {"ticks_max": 9}},
            "policy": {"hidden": [3, 4], "memory": "gru", "groups": {"a": [0], "b": [1]}},
            "ppo": {"value_clip": 0.2, "target_kl": 0.01},
            "run": {"milestones_return": [9, 3.5, 9], "seed": (1 << 63) - 1, "root": "elsewhere"},
        }
    )
    assert parse_config(TrainConfig, config.model_dump(mode="json")) == config
    assert config.run.milestones_return == (3.5, 9.0)
    assert config.policy.hidden == (3, 4)


def test_a_file_that_is_no_table_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    file.write_text("[1, 2]")
    with pytest.raises(ConfigError, match="no table of settings"):
        read_file(file)


def test_settings_of_one_world_are_not_those_of_another() -> None:
    first = {"world": {"id": "lanterns-v1", "settings": {"ticks_max": 9}}}
    assert layered(first, {"world": {"id": "prospector-v2"}}).world.settings == {}
    same = layered(first, {"world": {"id": "lanterns-v1", "worlds": 3}})
    assert same.world.settings == {"ticks_max": 9}
    unnamed = layered({"world": {"settings": {"ticks_max": 9}}}, {"world": {"id": "lanterns-v1"}})
    assert unnamed.world.settings == {"ticks_max": 9}
    assert first == {"world": {"id": "lanterns-v1", "settings": {"ticks_max": 9}}}


@pytest.mark.parametrize("name", preset_names())
def test_presets_are_whole_and_name_worlds_there_are(name: str) -> None:
    config = layered(preset(name))
    known = {entry.id: entry for entry in (*map(worlds.get, worlds.ids()), *esper.WORLDS)}
    entry = known[config.world.id]
    parse_config(entry.config, config.world.settings)
    # Nothing in a preset repeats what is so anyway.
    for section, settings in preset(name).items():
        plain = getattr(TrainConfig(), section)
        for key in settings:
            assert key in type(plain).model_fields


@pytest.mark.parametrize("name", [name for name in preset_names() if name.startswith("townlet")])
def test_shaping_is_discounted_as_the_trainer_discounts(name: str) -> None:
    """Otherwise the potential would not cancel out, and another policy would be the best one."""
    config = layered(preset(name))
    assert config.world.settings["shaping"]["gamma"] == config.ppo.gamma


def test_there_is_a_preset_of_the_default_world() -> None:
    assert TrainConfig().world.id in preset_names()
    with pytest.raises(ConfigError, match=r"no preset is called 'prospector-v3'.*'prospector-v2'"):
        preset("prospector-v3")


def test_files_are_read_as_toml(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[ppo]\ngamma = 0.5\n[world]\nid = "lanterns-v1"\n')
    assert layered(preset("prospector-v2"), read_file(path)).ppo.gamma == 0.5
    path.write_text("[ppo\n")
    with pytest.raises(ConfigError, match=r"mine\.toml is not TOML: .*line 1"):
        read_file(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="is not TOML"):
        read_file(path)
    with pytest.raises(ConfigError, match=r"cannot read .*none\.toml: No such file"):
        read_file(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("deep.toml", "a = " + "[" * 20_000 + "]" * 20_000),
        ("deep.json", '{"a":' * 100_000),
        ("list.json", "[" * 100_000),
    ],
)
def test_a_file_nested_without_end_is_refused_in_words(
    tmp_path: Path, name: str, text: str
) -> None:
    place = tmp_path / name
    place.write_text(text)
    with pytest.raises(ConfigError, match=f"{name} nests tables or lists too deep"):
        read_file(place)


def test_a_file_that_is_no_config_by_its_size_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("astrarium.train.config.FILE_BYTES_MAX", 10)
    place = tmp_path / "large.toml"
    place.write_text("[ppo]\ngamma = 0.5\n")
    with pytest.raises(ConfigError, match="more than 10 bytes"):
        read_file(place)


@pytest.mark.parametrize("hidden", [[16384] * 2, [128] * 17])
def test_a_network_larger_than_memory_is_refused_by_its_field(hidden: list[int]) -> None:
    with pytest.raises(ConfigError, match=r"hidden.*at most 16 layers and 67,108,864 weights"):
        layered({"policy": {"hidden": hidden}})


def test_the_config_of_a_run_is_read_with_its_seal_or_without_one(tmp_path: Path) -> None:
    place = tmp_path / "config.json"
    documents.write(place, {"ppo": {"gamma": 0.5}})
    assert read_file(place) == {"ppo": {"gamma": 0.5}}
    text = place.read_text()
    for broken in (text.replace("0.5", "0.6"), text.rstrip("\n")):
        place.write_text(broken)
        with pytest.raises(ConfigError, match='delete its last member "seal"'):
            read_file(place)
    place.write_text('{"ppo": {"gamma": 0.6}}')
    assert read_file(place) == {"ppo": {"gamma": 0.6}}
