/** Take what is shown along: a picture, a film, a GIF, or a link. */

import { useEffect, useRef, useState, type RefObject } from "react";
import { messageOf } from "../../api/errors";
import {
  canFilm,
  download,
  nextRefresh,
  pictureOf,
  pngOf,
  startFilm,
  type Film,
} from "../../export/filming";
import { encodeGif } from "../../export/gif";
import * as clocks from "../../player/clock";
import type { Playback } from "../../player/playback";
import type { Scene } from "../../scenes/scene";
import { Icon } from "../../shell/icons";
import { useNotify } from "../../shell/toasts";

interface Props {
  scene: Scene | null;
  playback: Playback;
  clock: clocks.ClockState;
  name: string;
}

const GIF_WIDTH = 480;
const GIF_FRAMES = 60;

export function ExportMenu({ scene, playback, clock, name }: Props) {
  const notify = useNotify();
  const [busy, setBusy] = useState<string | null>(null);
  const film = useRef<Film | null>(null);
  const menu = useRef<HTMLDetailsElement>(null);
  useClosing(menu);
  const canvas = () => scene?.canvas() ?? null;

  const guarded = async (what: string, work: (canvas: HTMLCanvasElement) => Promise<void>) => {
    const shown = canvas();
    if (!shown) return notify("There is no picture to take yet", "bad");
    setBusy(what);
    try {
      await work(shown);
    } catch (error) {
      notify(`No ${what}: ${messageOf(error)}`, "bad");
    } finally {
      setBusy(null);
    }
  };

  const picture = () =>
    guarded("picture", async (shown) => {
      playback.update((c) => ({ ...c }));
      await nextRefresh();
      download(await pngOf(shown), `${name}-frame-${clocks.frameIndex(playback.clock) + 1}.png`);
    });

  const gif = () =>
    guarded("GIF", async (shown) => {
      download(await gifOf(shown, playback), `${name}.gif`);
    });

  const startFilming = () => {
    const shown = canvas();
    if (!shown) return;
    film.current = startFilm(shown);
    setBusy("film");
    playback.update((c) => clocks.play({ ...c, loop: false }));
  };

  // The film ends with playback: at the last frame, or when somebody pauses.
  const filming = busy === "film";
  useEffect(() => {
    if (!filming || clock.playing || !film.current) return;
    const done = film.current;
    film.current = null;
    void done.stop().then((blob) => {
      download(blob, `${name}.webm`);
      setBusy(null);
    });
  }, [filming, clock.playing, name]);

  return (
    <details className="menu" ref={menu}>
      <summary className="button">
        <Icon name="save" /> <span className="tool-text">Export</span>
      </summary>
      <div className="menu-body">
        <button type="button" disabled={busy !== null} onClick={() => void picture()}>
          Picture (PNG)
        </button>
        <button type="button" disabled={busy !== null} onClick={() => void gif()}>
          {busy === "GIF" ? "Making the GIF…" : `GIF of the next ${GIF_FRAMES} frames`}
        </button>
        <button
          type="button"
          disabled={(busy !== null && !filming) || !canFilm()}
          onClick={() => (filming ? playback.update(clocks.pause) : startFilming())}
        >
          {filming ? "Stop and keep the film" : "Film from here (WebM)"}
        </button>
        {!canFilm() && <p className="muted small">This browser cannot film a canvas.</p>}
      </div>
    </details>
  );
}

/** A menu closes when somebody turns to something else. */
function useClosing(menu: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const close = (event: Event) => {
      const element = menu.current;
      if (!element?.open) return;
      const escaped = event instanceof KeyboardEvent && event.key === "Escape";
      const outside = event.type === "pointerdown" && !element.contains(event.target as Node);
      if (escaped || outside) element.open = false;
      if (escaped) element.querySelector("summary")?.focus();
    };
    window.addEventListener("pointerdown", close);
    window.addEventListener("keydown", close);
    return () => {
      window.removeEventListener("pointerdown", close);
      window.removeEventListener("keydown", close);
    };
  }, [menu]);
}

async function gifOf(canvas: HTMLCanvasElement, playback: Playback): Promise<Blob> {
  const before = playback.clock;
  const start = clocks.frameIndex(before);
  const end = Math.min(before.available, start + GIF_FRAMES);
  const pictures = [];
  for (let frame = start; frame < end; frame++) {
    playback.update((c) => clocks.seek(clocks.pause(c), frame));
    await nextRefresh();
    pictures.push(pictureOf(canvas, GIF_WIDTH));
  }
  playback.update(() => before);
  const delay = 1000 / (clocks.FRAMES_PER_SECOND * Math.max(1, before.speed));
  return new Blob([encodeGif(pictures, delay)], { type: "image/gif" });
}
