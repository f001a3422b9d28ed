/** How something went, as a small line. */

interface Props {
  values: readonly (number | null)[];
  /** The value at the upper edge. */
  top: number;
  label: string;
  tone?: string;
}

export function Curve({ values, top, label, tone = "plain" }: Props) {
  return (
    <svg
      className={`past-curve tone-${tone}`}
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polyline points={curvePoints(values, top)} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

/** The points of a curve in a box of 100 by 24. */
export function curvePoints(values: readonly (number | null)[], top: number): string {
  const last = Math.max(1, values.length - 1);
  return values
    .map((value, i) => {
      if (value === null) return "";
      const share = Math.min(1, Math.max(0, top <= 0 ? 0 : value / top));
      return `${((i / last) * 100).toFixed(1)},${(23 - share * 22).toFixed(1)}`;
    })
    .filter((point) => point !== "")
    .join(" ");
}
