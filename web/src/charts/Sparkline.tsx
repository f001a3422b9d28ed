/** A curve at a glance. */

export function Sparkline({
  values,
  label,
}: {
  values: readonly (number | null)[];
  label: string;
}) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return <p className="muted small">Two windows make a curve.</p>;
  const least = Math.min(...known);
  const reach = Math.max(...known) - least || 1;
  const points = known.map(
    (value, i) => `${(i / (known.length - 1)) * 100},${30 - ((value - least) / reach) * 28}`,
  );
  return (
    <svg
      className="spark"
      viewBox="0 0 100 32"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polyline points={points.join(" ")} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
