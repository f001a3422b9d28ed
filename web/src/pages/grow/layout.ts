/** Where the parts of a host are drawn: blocks and pools along a spine, slots as branches off it.
 *
 * Pure. The spine runs to the right where there is room and downwards on a phone; `along` and
 * `across` are the two directions until the very end.
 */

import type { SlotPlace } from "../../api/growth";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Part extends Box {
  kind: "input" | "block" | "pool" | "head";
  title: string;
  note: string;
}

export interface Branch extends Box {
  slot: SlotPlace;
  /** The way into the seed and the way back to the spine. */
  into: string;
  back: string;
  /** Where the way back meets the spine. */
  meets: { x: number; y: number };
  /** How far from its corner the smaller box of an empty slot begins. */
  emptyInset: number;
}

export interface Drawing {
  width: number;
  height: number;
  spine: string;
  parts: Part[];
  branches: Branch[];
}

type Step = { part: Pick<Part, "kind" | "title" | "note"> } | { slot: SlotPlace };

/** What features pass, in forward order. A pool shows where a slot lies behind it. */
export function stepsOf(slots: readonly SlotPlace[], topology: string, classes: number): Step[] {
  const ordered = [...slots].sort((a, b) => a.order - b.order);
  const textual = topology === "transformer";
  const steps: Step[] = [
    { part: { kind: "input", title: textual ? "tokens" : "input", note: "" } },
  ];
  let col = -1;
  for (const slot of ordered) {
    while (col < slot.col) {
      col += 1;
      const width = ordered.find((one) => one.col === col)?.channels;
      const note = width ? `${width} ${textual ? "wide" : "ch"}` : "";
      steps.push({ part: { kind: "block", title: `block ${col + 1}`, note } });
    }
    if (slot.surface === "POST_POOL") {
      steps.push({ part: { kind: "pool", title: "pool", note: "" } });
    }
    steps.push({ slot });
  }
  const note = classes > 0 ? `${classes} ${textual ? "tokens" : "classes"}` : "";
  steps.push({ part: { kind: "head", title: "head", note } });
  return steps;
}

export const POD = { width: 150, height: 92 };
/** A slot without a seed takes less room. */
export const EMPTY_POD_HEIGHT = 40;
const EDGE = 8;

interface Measures {
  /** Along the spine. */
  part: Record<Part["kind"], number>;
  junction: number;
  /** Across it. */
  partAcross: number;
  gap: number;
}

const RIGHT: Measures = {
  part: { input: 52, block: 72, pool: 44, head: 80 },
  junction: 62,
  partAcross: 52,
  gap: 30,
};
const DOWN: Measures = {
  part: { input: 30, block: 40, pool: 28, head: 40 },
  junction: 48,
  partAcross: 74,
  gap: 4,
};

export function drawingOf(
  slots: readonly SlotPlace[],
  topology: string,
  classes: number,
  downwards: boolean,
): Drawing {
  const sizes = downwards ? DOWN : RIGHT;
  const podAcross = downwards ? POD.width : POD.height;
  const podAlong = downwards ? POD.height : POD.width;
  const spineAt = EDGE + podAcross + sizes.gap + sizes.partAcross / 2;
  const place = (along: number, across: number) =>
    downwards ? { x: across, y: along } : { x: along, y: across };
  const box = (along: number, across: number, length: number, depth: number): Box => ({
    ...place(along, across),
    width: downwards ? depth : length,
    height: downwards ? length : depth,
  });
  const parts: Part[] = [];
  const branches: Branch[] = [];
  const first = stepsOf(slots, topology, classes);
  // The first and last branch may reach beyond the ends of the spine.
  let along = EDGE + Math.max(0, podAlong / 2 - sizes.part.input - sizes.part.block);
  const start = along;
  for (const step of first) {
    if ("part" in step) {
      const length = sizes.part[step.part.kind];
      const depth = sizes.partAcross * (step.part.kind === "pool" ? 0.62 : 1);
      parts.push({ ...step.part, ...box(along, spineAt - depth / 2, length, depth) });
      along += length;
      continue;
    }
    const side = branches.length % 2 === 0 ? -1 : 1;
    const middle = along + sizes.junction / 2;
    const near = spineAt + side * (sizes.partAcross / 2 + sizes.gap);
    const corner = side < 0 ? near - podAcross : near;
    const ways = waysOf(middle, spineAt, near, sizes.junction / 2 - 6, place);
    branches.push({
      slot: step.slot,
      ...box(middle - podAlong / 2, corner, podAlong, podAcross),
      ...ways,
      emptyInset: (POD.height - EMPTY_POD_HEIGHT) * (downwards ? 0.5 : side < 0 ? 1 : 0),
    });
    along += sizes.junction;
  }
  const end = along + EDGE;
  const depth = 2 * spineAt;
  const from = place(start, spineAt);
  const to = place(along, spineAt);
  return {
    width: downwards ? depth : end,
    height: downwards ? end : depth,
    spine: `M${from.x} ${from.y}L${to.x} ${to.y}`,
    parts,
    branches,
  };
}

function waysOf(
  middle: number,
  spineAt: number,
  near: number,
  reach: number,
  place: (along: number, across: number) => { x: number; y: number },
): Pick<Branch, "into" | "back" | "meets"> {
  const bend = (near - spineAt) * 0.6;
  const curve = (side: -1 | 1) => {
    const a = place(middle + side * reach, spineAt);
    const b = place(middle + side * reach, spineAt + bend);
    const c = place(middle + side * reach * 0.6, near - bend);
    const d = place(middle + side * reach * 0.6, near);
    return `M${a.x} ${a.y}C${b.x} ${b.y} ${c.x} ${c.y} ${d.x} ${d.y}`;
  };
  return { into: curve(-1), back: curve(1), meets: place(middle + reach, spineAt) };
}
