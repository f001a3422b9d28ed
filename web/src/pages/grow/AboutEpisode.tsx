/** How the episode ended, and what stays the same in its run. */

import type { EpisodeOver, Shapley, Started } from "../../api/growth";
import { figure, percent } from "../../shell/figures";
import type { Episode } from "./episode";
import { accuracy, points, spaced } from "./words";

export function AboutEpisode({ started, episode }: { started: Started | null; episode: Episode }) {
  const { outcome, shapley } = episode;
  return (
    <div className="stack">
      <section className="stack-tight">
        <h3>Outcome</h3>
        {outcome ? <Facts facts={endFacts(outcome)} /> : <p className="muted">It still goes on.</p>}
      </section>
      {shapley && <Shares shapley={shapley} />}
      {started && (
        <section className="stack-tight">
          <h3>The run</h3>
          <Facts facts={runFacts(started)} />
        </section>
      )}
    </div>
  );
}

function endFacts(outcome: EpisodeOver): [string, string][] {
  return [
    ["Ended", `${spaced(outcome.outcome_type)}${outcome.succeeded ? ", a success" : ""}`],
    ["Accuracy", accuracy(outcome.final_accuracy)],
    ["Kept only", accuracy(outcome.committed_accuracy)],
    ["Size", `${outcome.param_ratio.toFixed(2)} × the host`],
    ["Reward", figure(outcome.episode_reward)],
    ["Seeds", `${outcome.germinated} put in, ${outcome.pruned} pruned`],
    ["Kept", `${outcome.num_fossilized}, ${outcome.num_contributing_fossilized} of use`],
    ["Stability", percent(outcome.stability_score)],
    ["Compute", `${figure(outcome.spent_epochs)} epochs`],
    ["Episode seed", String(outcome.episode_seed)],
  ];
}

function runFacts(started: Started): [string, string][] {
  return [
    ["World", started.world],
    ["Hosts", String(started.n_envs)],
    ["Epochs at most", String(started.max_epochs)],
    ["Rounds", started.max_rounds === null ? "none" : String(started.max_rounds)],
    ["Seeds at most", String(started.seed_limit)],
    ["Gates", spaced(started.gates)],
    ["Budget", started.budget_epochs === null ? "none" : `${started.budget_epochs} epochs`],
    ["Device", started.device],
  ];
}

function Facts({ facts }: { facts: [string, string][] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Shares({ shapley }: { shapley: Shapley }) {
  return (
    <section className="stack-tight">
      <h3>What each seed adds</h3>
      <table className="terms">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Slot</th>
            <th scope="col">Shapley value</th>
          </tr>
        </thead>
        <tbody>
          {shapley.slot_ids.map((slot, i) => (
            <tr key={slot}>
              <th scope="row">{slot}</th>
              <td className="number">
                {points(shapley.means[i])}{" "}
                <span className="muted small">± {figure(shapley.stds[i])}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="muted small">On average over {shapley.samples} orders of adding them.</p>
    </section>
  );
}
