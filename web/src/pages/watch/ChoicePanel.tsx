/** What an agent did, how sure it was, and what else it had in mind. */

import type { Frame } from "../../api/types";
import { alternatives, choiceName, choicesOf, noteOf } from "../../player/reading";
import type { Words } from "../../scenes/scene";
import { figure, percent } from "../../shell/figures";

const SHOWN = 6;

interface Props {
  frame: Frame | null;
  words: Words;
  agent: number;
}

export function ChoicePanel({ frame, words, agent }: Props) {
  if (!frame) return <p className="muted">No frame yet.</p>;
  const note = noteOf(frame, agent);
  return (
    <div className="stack">
      <dl className="facts">
        <div>
          <dt>Tick</dt>
          <dd>
            {frame.t} <span className="muted">(+{frame.dt})</span>
          </dd>
        </div>
        {note && (
          <>
            <div>
              <dt>Expected return</dt>
              <dd>{figure(note.value)}</dd>
            </div>
            <div>
              <dt>Probability</dt>
              <dd>{percent(note.probability, 1)}</dd>
            </div>
          </>
        )}
      </dl>
      {choicesOf(frame, agent).map((choice, head) => (
        <div key={head} className="stack-tight">
          <p className="choice-made">
            {choiceName(words, head, choice)} <span className="muted small">{choice}</span>
          </p>
          {note?.probabilities[head] && (
            <ul className="likely">
              {alternatives(note.probabilities[head], choice, SHOWN).map((one) => (
                <li key={one.choice} className={one.taken ? "taken" : undefined}>
                  <span className="likely-name">{choiceName(words, head, one.choice)}</span>
                  <span>{percent(one.probability, 1)}</span>
                  <span className="likely-bar" aria-hidden="true">
                    <span style={{ width: `${one.probability * 100}%` }} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
      {!note && <p className="muted small">This player kept no record of its thoughts.</p>}
    </div>
  );
}
