/** The frame around every page: name, ways, theme, keys. */

import { useRef, useState, type ReactNode } from "react";
import { HelpDialog } from "./help";
import { Icon, Mark, type IconName } from "./icons";
import { useKeys } from "./keyboard";
import { useLiveState } from "./live";
import { formatRoute, goTo, type Page } from "./route";
import { chooseTheme, useThemeChoice, type ThemeChoice } from "./theme";

/** Grow is a closer look at a run of Analyse and has no way of its own. */
const WAYS: { page: Exclude<Page, "grow">; title: string; key: string }[] = [
  { page: "home", title: "Home", key: "h" },
  { page: "watch", title: "Watch", key: "w" },
  { page: "play", title: "Play", key: "p" },
  { page: "analyse", title: "Analyse", key: "a" },
  { page: "campaign", title: "Campaign", key: "c" },
];

const NEXT_THEME: Record<ThemeChoice, ThemeChoice> = {
  system: "dark",
  dark: "light",
  light: "system",
};
const THEME_ICON: Record<ThemeChoice, IconName> = { system: "auto", dark: "moon", light: "sun" };

export function Layout({ page, children }: { page: Page; children: ReactNode }) {
  const [help, setHelp] = useState(false);
  const choice = useThemeChoice();
  const going = useRef(false);
  // The letter after `g` names a page, whatever it means inside the one that is open.
  useKeys((event) => {
    if (!going.current) return false;
    going.current = false;
    const way = WAYS.find((one) => one.key === event.key);
    if (way) goTo(formatRoute(way.page));
    return way !== undefined;
  }, true);
  useKeys((event) => {
    if (event.key === "g") going.current = true;
    else if (event.key === "t") chooseTheme(NEXT_THEME[choice]);
    else if (event.key === "?") setHelp(true);
    else return false;
    return true;
  });
  return (
    <>
      <a className="skip" href="#content" onClick={skipToContent}>
        To the content
      </a>
      <header className="top">
        <a className="brand" href="#/" aria-label="Astrarium, home">
          <Mark />
          <span>Astrarium</span>
        </a>
        <nav className="ways" aria-label="Pages">
          {WAYS.map((way) => (
            <a
              key={way.page}
              href={formatRoute(way.page)}
              aria-current={
                way.page === page
                  ? "page"
                  : way.page === "analyse" && page === "grow"
                    ? true
                    : undefined
              }
            >
              <Icon name={way.page} />
              <span>{way.title}</span>
            </a>
          ))}
        </nav>
        <div className="top-tools">
          <LiveDot />
          <button
            type="button"
            className="quiet"
            onClick={() => chooseTheme(NEXT_THEME[choice])}
            aria-label={`Theme: ${choice}. Change`}
            title={`Theme: ${choice} (t)`}
          >
            <Icon name={THEME_ICON[choice]} />
          </button>
          <button
            type="button"
            className="quiet"
            onClick={() => setHelp(true)}
            aria-label="Keys"
            title="Keys (?)"
          >
            <Icon name="help" />
          </button>
        </div>
      </header>
      <main id="content" tabIndex={-1} className={`page page-${page}`}>
        {children}
      </main>
      <HelpDialog open={help} onClose={() => setHelp(false)} />
    </>
  );
}

/** The address is the route, so the jump is made by hand. */
function skipToContent(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

const LIVE_TEXT = { connecting: "connecting", live: "live", lost: "offline" } as const;

function LiveDot() {
  const state = useLiveState();
  return (
    <span
      className={`live live-${state}`}
      role="status"
      title={`Connection to the server: ${LIVE_TEXT[state]}`}
    >
      <span className="live-dot" aria-hidden="true" />
      {LIVE_TEXT[state]}
    </span>
  );
}
