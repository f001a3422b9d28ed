/** Help for the first time; it stays closed once somebody closed it. */

import { useState } from "react";
import type { World } from "../../api/types";

const KEY = "astrarium.guided";

export function Guidance({ world }: { world: World }) {
  const key = `${KEY}.${world.id}`;
  const [open, setOpen] = useState(() => localStorage.getItem(key) === null);
  if (world.guidance.length === 0) return null;
  return (
    <details
      className="panel guidance"
      open={open}
      onToggle={(event) => {
        const now = event.currentTarget.open;
        setOpen(now);
        if (!now) localStorage.setItem(key, "yes");
      }}
    >
      <summary>How to play</summary>
      <ol>
        {world.guidance.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
    </details>
  );
}
