/** A share as a filled bar, for figures that are written beside it. */
export function Meter({ value, tone }: { value: number; tone: string }) {
  return (
    <span className={`meter gauge-${tone}`} aria-hidden="true">
      <span className="gauge-fill" style={{ width: `${Math.min(1, Math.max(0, value)) * 100}%` }} />
    </span>
  );
}
