/** Line icons on a 24 grid, drawn for this page. */

const PATHS = {
  home: "M4 11.5 12 5l8 6.5M6.5 10v9h11v-9",
  watch: "M4 6h16v11H4zM10.5 9v5l4-2.5zM8 20h8",
  play: "M6 9h12a4 4 0 0 1 3 6l-1 2a2 2 0 0 1-3 .5L15 15H9l-2 2.5A2 2 0 0 1 4 17l-1-2a4 4 0 0 1 3-6zM8 11v3M6.5 12.5h3M16 12h.01",
  analyse: "M4 4v16h16M7.5 15l3.5-4 3 2.5L19 8",
  campaign: "M4 7l5-2 6 2 5-2v12l-5 2-6-2-5 2zM9 5v12M15 7v12",
  start: "M8 5.5v13l10.5-6.5z",
  pause: "M8 5.5v13M16 5.5v13",
  next: "M6 6v12l8-6zM18 6v12",
  back: "M18 6v12l-8-6zM6 6v12",
  first: "M19 6v12l-7-6zM12 6v12l-7-6z",
  last: "M5 6v12l7-6zM12 6v12l7-6z",
  loop: "M5 12a6 6 0 0 1 6-6h7M15 3l3 3-3 3M19 12a6 6 0 0 1-6 6H6M9 21l-3-3 3-3",
  full: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  save: "M12 4v11M7 11l5 5 5-5M5 20h14",
  split: "M4 5h16v14H4zM12 5v14",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.8 1.8M17.2 17.2 19 19M19 5l-1.8 1.8M6.8 17.2 5 19",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  auto: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  help: "M9 9.5a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 1.8M12 17.5h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  close: "M6 6l12 12M18 6 6 18",
  undo: "M9 5 4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3",
  sound: "M4 9.5v5h3.5L12 18V6L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  mute: "M4 9.5v5h3.5L12 18V6L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The mark of the house: a star, its orbit, and what turns around it. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <g className="mark-rings">
        <circle cx="16" cy="16" r="13" />
        <ellipse cx="16" cy="16" rx="13" ry="5" transform="rotate(-32 16 16)" />
      </g>
      <circle className="mark-star" cx="16" cy="16" r="3.6" />
      <circle className="mark-body" cx="26.4" cy="8.4" r="2" />
    </svg>
  );
}
