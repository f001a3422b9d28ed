/** Signs on a 24 grid, drawn as lines, on the map and in the panels alike. */

export const ICONS = {
  wait: "M7 4h10M7 20h10M8 4c0 5 8 6 8 8s-8 3-8 8M16 4c0 5-8 6-8 8s8 3 8 8",
  eat: "M7 3v7M4.5 3v4.5a2.5 2.5 0 0 0 5 0V3M7 10v11M17 3c-3 2-3.5 6-3 10h3zM17 13v8",
  wash: "M12 3c3.5 4.5 6 7.5 6 11a6 6 0 0 1-12 0c0-3.5 2.5-6.5 6-11zM9 14.5a3 3 0 0 0 2.5 2.7",
  work: "M4 8h16v11H4zM9 8V5h6v3M4 13h16M11 13v2h2v-2",
  shop: "M4 9h16l-2 10H6zM8 9l3-5M16 9l-3-5M9.5 12.5v3.5M14.5 12.5v3.5",
  sleep: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5zM14 5h4l-4 4h4",
  talk: "M4 5h16v10h-8l-5 4v-4H4zM8 9h8M8 11.8h5",
  home: "M4 11.5 12 5l8 6.5M6.5 10v9h11v-9M10.5 19v-5h3v5",
  rest: "M3 11h18M5 11v8M19 11v8M4 7h16M6 15h12",
  trouble: "M12 4 21 20H3zM12 10v5M12 17.5v.5",
  money:
    "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM14.5 9.5c-.5-1-1.5-1.5-2.5-1.5-1.5 0-2.5.8-2.5 2s1 1.7 2.5 2 2.5.8 2.5 2-1 2-2.5 2c-1.2 0-2.2-.5-2.7-1.5M12 6.5v1.5M12 16v1.5",
  life: "M5 20c0-4 3-6.5 7-6.5s7 2.5 7 6.5M12 4a3.8 3.8 0 1 0 0 7.6A3.8 3.8 0 0 0 12 4z",
  power: "M13 3 6 13.5h5L10 21l8-11h-5.5z",
  closed: "M6 6l12 12M18 6 6 18",
  hospital: "M5 5h14v14H5zM12 8.5v7M8.5 12h7",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.8 1.8M17.2 17.2 19 19M19 5l-1.8 1.8M6.8 17.2 5 19",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
} as const;

export type IconName = keyof typeof ICONS;

const OPTION_ICONS: Record<string, IconName> = {
  Wait: "wait",
  GetFed: "eat",
  GetClean: "wash",
  GoToWork: "work",
  ShopGroceries: "shop",
  Sleep: "sleep",
  Socialise: "talk",
  GoHome: "home",
};

export function iconOfOption(option: string): IconName {
  return OPTION_ICONS[option] ?? "wait";
}

const paths = new Map<IconName, Path2D>();

/** The icon in a box on a canvas, in the current stroke colour. */
export function strokeIcon(
  pen: CanvasRenderingContext2D,
  name: IconName,
  x: number,
  y: number,
  size: number,
): void {
  let path = paths.get(name);
  if (!path) paths.set(name, (path = new Path2D(ICONS[name])));
  pen.save();
  pen.translate(x, y);
  pen.scale(size / 24, size / 24);
  pen.lineWidth = 2.2;
  pen.lineCap = pen.lineJoin = "round";
  pen.stroke(path);
  pen.restore();
}
