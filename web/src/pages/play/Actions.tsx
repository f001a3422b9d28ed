/** What can be done now, grouped as the world groups it. */

import { useState } from "react";
import type { World } from "../../api/types";
import { actionLabel, groupsOf, keyOfAction } from "./actions_of_world";

interface Props {
  world: World;
  legal: (action: number) => boolean;
  selected: number | null;
  disabled: boolean;
  /** What the scene can tell of an action now; the world's own words stand in where it cannot. */
  hint: (action: number) => string | null;
  onAct: (action: number) => void;
}

export function Actions({ world, legal, selected, disabled, hint, onAct }: Props) {
  const [all, setAll] = useState(false);
  const groups = groupsOf(world)
    .map((group) => ({ ...group, shown: group.actions.filter((one) => all || legal(one)) }))
    .filter((group) => group.shown.length > 0);
  return (
    <section className="panel actions" aria-label="Actions">
      <header>
        <h2>Actions</h2>
        <label className="check">
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} />
          Also those not possible now
        </label>
      </header>
      <div className="panel-body action-groups">
        {groups.map((group) => (
          <section key={group.title} aria-label={group.title}>
            <h3>{group.title}</h3>
            <div className="action-grid">
              {group.shown.map((action) => (
                <ActionButton
                  key={action}
                  label={actionLabel(world, action)}
                  hint={hint(action) ?? world.hints[action] ?? null}
                  hotkey={keyOfAction(world, action)}
                  selected={action === selected}
                  disabled={disabled || !legal(action)}
                  onClick={() => onAct(action)}
                />
              ))}
            </div>
          </section>
        ))}
        {groups.length === 0 && <p className="muted">Nothing can be done: the episode is over.</p>}
      </div>
    </section>
  );
}

interface ButtonProps {
  label: string;
  hint: string | null;
  hotkey: string | null;
  selected: boolean;
  disabled: boolean;
  onClick: () => void;
}

function ActionButton({ label, hint, hotkey, selected, disabled, onClick }: ButtonProps) {
  return (
    <button
      type="button"
      className="action"
      aria-pressed={selected}
      aria-keyshortcuts={hotkey ?? undefined}
      disabled={disabled}
      onClick={onClick}
    >
      <span className="action-label">{label}</span>
      {hotkey && <kbd aria-hidden="true">{hotkey}</kbd>}
      {hint && <span className="action-hint">{hint}</span>}
    </button>
  );
}
