"""The accounts of real episodes: shaping that telescopes, credit per seed, pools that run dry."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from little_hosts import begun, grow_next, grown_until

from astrarium.esper.contracts.actions import WAIT, ActionOutcome, ActionSpec
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.rewards import DripState, RewardMode, RewardResult
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.episode import HostEpisode
from astrarium.esper.rewards.configs import CONFIGS, PotentialConfig
from astrarium.esper.rewards.hindsight import Boost, scaffold_credits
from astrarium.esper.rewards.potential import seed_potential


def played(episode: HostEpisode) -> Iterator[tuple[ActionOutcome, RewardResult]]:
    """Every step of an episode that grows one seed after the other."""
    while True:
        last = episode.is_over
        yield episode.decide(grow_next(episode))
        if last:
            return
        assert episode.proceed() is None


@pytest.mark.parametrize("mode", CONFIGS)
def test_a_reward_is_the_sum_of_its_terms_and_the_total_of_all(mode: RewardMode) -> None:
    episode, total = begun(epochs=18, reward_mode=mode), 0.0
    for _, earned in played(episode):
        assert earned.reward == pytest.approx(earned.components.total(), abs=1e-12)
        total += earned.reward
    assert episode.ledger.total == pytest.approx(total)


@pytest.mark.parametrize("gamma", [0.9, 1.0])
def test_shaping_telescopes_over_an_episode(gamma: float) -> None:
    """Discounted, all of it comes to the potential at the end and nothing else."""
    episode, summed = begun(epochs=34, reward_mode="simplified", gamma=gamma), 0.0
    stages: set[Stage] = set()
    for step, (_, earned) in enumerate(played(episode)):
        summed += gamma**step * earned.components.pbrs_bonus
        stages |= {info.stage for info in episode.ledger.infos.values()}
    assert Stage.FOSSILIZED in stages
    config = PotentialConfig(gamma=gamma)
    at_end = sum(seed_potential(info, config) for info in episode.ledger.infos.values())
    assert summed == pytest.approx(config.weight * gamma**34 * at_end)


def test_escrow_keeps_an_account_for_every_seed() -> None:
    """Seeds of so short an episode seldom earn; which host's do depends on the machine."""
    assert any(escrow_owners(seed) for seed in range(6, 16))


def escrow_owners(seed: int) -> set[str]:
    """Seeds that ever had credit in an episode whose accounts are checked at every step."""
    episode = begun(seed=seed, epochs=34, reward_mode="escrow")
    ledger, held, owners = episode.ledger, 0.0, set[str]()
    for outcome, earned in played(episode):
        now = sum(ledger.credits.values())
        committed = outcome.effective_op is Op.FOSSILIZE
        if episode.epoch < 34 and not committed:
            assert now == pytest.approx(held + earned.components.escrow_delta)
        owners |= {seed for seed, credit in ledger.credits.items() if credit}
        held = now
    # What was never committed is taken back in the last step.
    assert earned.components.escrow_forfeit <= 0.0
    assert owners <= {info.seed_id for info in ledger.infos.values()}
    return owners


def test_a_scaffold_is_paid_when_the_seed_it_helped_is_kept() -> None:
    episode = grown_until(Stage.HOLDING, epochs=40)
    state = episode.network.states()[0]
    episode.ledger.boosts[state.seed_id] = Boost("seed-009", 8.0, episode.epoch - 2)
    assert episode.network.would_move_on(state.slot_id)
    improved = episode.reports()[0].metrics
    gain = improved.current_val_accuracy - improved.initial_val_accuracy
    due = scaffold_credits(
        (episode.ledger.boosts[state.seed_id],), gain, episode.epoch, episode.rules.gamma
    )
    _, earned = episode.decide(ActionSpec(Op.FOSSILIZE, state.slot_id))
    assert earned.components.hindsight_credit == pytest.approx(sum(one.credit for one in due))
    assert (earned.components.hindsight_credit > 0.0) == (gain > 0.0)


def test_which_seed_helped_which_is_noted_from_validations() -> None:
    episode, seen = begun(epochs=45, seed_limit=3), 0
    for _ in played(episode):
        found = episode.attribution
        ids = {state.slot_id: state.seed_id for state in episode.network.states()}
        for at, row in enumerate(found.interactions):
            worth = [value for other, value in enumerate(row) if other != at]
            if worth and max(worth) > 0.0:
                seen += 1
                assert episode.ledger.boosts[ids[found.slots[at]]].boost >= max(worth)
    assert seen


def test_a_drip_pays_out_what_its_pool_holds_and_no_more() -> None:
    episode = grown_until(Stage.FOSSILIZED, epochs=60, reward_mode="basic_plus")
    seed = episode.network.states()[0].seed_id
    # One of the two earns, whether the fossil does good or harm.
    episode.ledger.drips = (DripState(seed, 0.15, 1.0), DripState(seed, 0.15, -1.0))
    paid = [0.0, 0.0]
    for _ in range(8):
        before = [drip.pool for drip in episode.ledger.drips]
        worth = episode.reports()[0].metrics.counterfactual_contribution or 0.0
        due = [
            min(pool, max(-0.05, min(0.1, scaled)))
            for pool, scaled in zip(before, (worth, -worth), strict=True)
        ]
        _, earned = episode.decide(WAIT)
        assert earned.components.drip == pytest.approx(sum(due))
        paid = [so_far + max(0.0, one) for so_far, one in zip(paid, due, strict=True)]
        left = [drip.pool for drip in episode.ledger.drips]
        assert left == pytest.approx([0.15 - one for one in paid])
        assert episode.proceed() is None
    assert 0.0 < max(paid) <= 0.15 + 1e-12
