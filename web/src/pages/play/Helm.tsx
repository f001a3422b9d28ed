/** Every head as a row of choices, all of which go out together with the next step. */

import type { Head, World } from "../../api/types";
import { mayChoose, type Orders } from "./orders";

interface Props {
  world: World;
  orders: Orders;
  legal: readonly boolean[][];
  disabled: boolean;
  /** What a choice means at this moment, where the scene can tell. */
  words: (head: number, choice: number) => string | null;
  onChoose: (head: number, choice: number) => void;
}

/** More choices than this are a list to pick from. */
const BUTTONS_MAX = 8;

export function Helm({ world, orders, legal, disabled, words, onChoose }: Props) {
  return (
    <section className="panel actions helm" aria-label="Orders">
      <header>
        <h2>Orders</h2>
        <p className="muted small">All of them go out with the next step.</p>
      </header>
      <div className="panel-body helm-heads">
        {world.heads.map((head, at) => {
          const shared = {
            head,
            chosen: orders[at] ?? head.rest,
            legal: legal[at] ?? [],
            disabled,
            words: (choice: number) => words(at, choice) ?? head.labels[choice] ?? String(choice),
            onChoose: (choice: number) => onChoose(at, choice),
          };
          return head.labels.length > BUTTONS_MAX ? (
            <HeadList key={head.title} {...shared} />
          ) : (
            <HeadButtons key={head.title} {...shared} />
          );
        })}
      </div>
    </section>
  );
}

interface HeadProps {
  head: Head;
  chosen: number;
  legal: readonly boolean[];
  disabled: boolean;
  words: (choice: number) => string;
  onChoose: (choice: number) => void;
}

function keyOf(head: Head, choice: number): string | null {
  return Object.entries(head.hotkeys).find(([, one]) => one === choice)?.[0] ?? null;
}

function HeadTitle({ head }: { head: Head }) {
  const keys = [head.less, head.more].filter((key) => key !== null);
  return (
    <span className="helm-title">
      {head.title}
      {keys.map((key) => (
        <kbd key={key} aria-hidden="true">
          {key}
        </kbd>
      ))}
    </span>
  );
}

function HeadButtons({ head, chosen, legal, disabled, words, onChoose }: HeadProps) {
  // Of an order and its absence only the order is a button.
  const isSwitch = head.labels.length === 2;
  const shown = head.labels
    .map((_, choice) => choice)
    .filter((one) => !isSwitch || one !== head.rest);
  return (
    <div className="helm-head" role="group" aria-label={head.title}>
      <HeadTitle head={head} />
      <div className="chips">
        {shown.map((choice) => {
          const key = keyOf(head, choice);
          return (
            <button
              key={choice}
              type="button"
              aria-pressed={choice === chosen}
              aria-keyshortcuts={key ?? undefined}
              disabled={disabled || !mayChoose(head, legal, choice)}
              onClick={() => onChoose(choice === chosen ? head.rest : choice)}
            >
              {words(choice)} {key !== null && <kbd aria-hidden="true">{key}</kbd>}
            </button>
          );
        })}
      </div>
    </div>
  );
}

function HeadList({ head, chosen, legal, disabled, words, onChoose }: HeadProps) {
  const shown = head.labels.map((_, choice) => choice).filter((one) => legal[one]);
  const known = legal[chosen] ? chosen : head.rest;
  return (
    <label className="helm-head">
      <HeadTitle head={head} />
      <select
        value={known}
        disabled={disabled}
        onChange={(event) => onChoose(Number(event.target.value))}
      >
        {shown.map((choice) => (
          <option key={choice} value={choice}>
            {words(choice)}
          </option>
        ))}
      </select>
    </label>
  );
}
