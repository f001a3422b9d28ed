/** Both sides at a glance, the sea, and what the plot's signs mean. */

import type { PanelProps } from "../scene";
import { facts } from "./gauges";
import { Fleet } from "./Fleet";
import { BattleViewBar } from "./Parts";
import { sideOf } from "./seen";
import { useShownBattle, useView } from "./view";

const LEGEND: [string, string][] = [
  ["Filled hull", "on the surface"],
  ["Dim, dashed hull", "submerged; dimmer still, abyssal"],
  ["Closing ring", "changes depth, the arrow says which way"],
  ["Line from the bow", "where she is in a minute"],
  ["Circle and diamond", "a track: as wide as its error, firmer the better it is known"],
  ["Dotted circle", "a cue; dashed coarse; whole fire control"],
  ["Gold circles", "reach of the chosen ship's weapons, dashed while they load"],
  ["Pale wedge", "where a torpedo's or missile's seeker looks"],
  ["Small double circle", "a decoy; a spiked dot is a mine"],
];

export function BattlePanel({ frame }: PanelProps) {
  const battle = useShownBattle(frame);
  const { side } = useView();
  if (!battle) return <p className="muted">This frame shows no battle.</p>;
  return (
    <div className="stack">
      <BattleViewBar battle={battle} />
      <dl className="facts">
        {facts(battle, sideOf(battle, side)).map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Fleet battle={battle} />
      <details>
        <summary>What the signs mean</summary>
        <dl className="facts legend">
          {LEGEND.map(([sign, meaning]) => (
            <div key={sign}>
              <dt>{sign}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
