import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TONE_NAMES } from "../sound/tones";
import { assetsOf, loadAssetsFrom } from "./assets";
import { DEFAULT_AUDIO, DEFAULT_EFFECTS, DEFAULT_GRAPHICS } from "./defaults";
import type { AudioManifest, EffectsManifest, GraphicsManifest } from "./manifests";

const ROOT = join(__dirname, "../../public/assets");
const read = <T>(name: string) => JSON.parse(readFileSync(join(ROOT, `${name}.json`), "utf8")) as T;
const graphics = read<GraphicsManifest>("graphics");
const audio = read<AudioManifest>("audio");
const effects = read<EffectsManifest>("effects");

const each = (prefix: string, names: string) => names.split(" ").map((name) => `${prefix}.${name}`);
const VFX = each(
  "vfx",
  "travel.warp none emergencyBurn scan.widePulse scan.focusBeam scan.deepSpectral scan.listenPing " +
    "selection.ring mine.conservative mine.standard mine.aggressive stabilize.field refine.sparkle " +
    "cooldown.burst repair.tool repair.hull jettison dock sell station.confirm station.overhaul " +
    "ui.run_end warning.alert event.overheat explosion.medium explosion.large event.engine_fail",
);
const FRAMES = [
  ...each("entity", "ship.agent ship.human station asteroid.small asteroid.medium asteroid.large"),
  ...each("entity", "hazard.radiation pirate.marker"),
  ...each("ui", "panel.stats panel.cargo panel.market panel.events panel.minimap"),
  ...each("ui", "button.primary button.secondary button.danger"),
  ...each("icon.market", "up down flat"),
  ...each("icon.event", "pirate fracture overheat stranded destroyed invalid"),
  ...VFX,
];
const BACKGROUNDS = each("bg", "starfield.0 starfield.1 planet.0 planet.1");
const CONTROLS = each("ui", "click play pause step select");

/** Where the files of a class of keys must lie, so that a ship key never shows a rock. */
const CLASSES: [key: RegExp, path: RegExp][] = [
  [/^entity\.ship\./, /^sprites\/ships\//],
  [/^entity\.station$/, /^sprites\/station\//],
  [/^entity\.asteroid\./, /^sprites\/asteroids\//],
  [/^entity\.hazard\./, /^sprites\/hazards\//],
  [/^entity\.pirate\./, /^sprites\/pirates\//],
  [/^ui\.panel\./, /^sprites\/ui\/panel-/],
  [/^ui\.button\./, /^sprites\/ui\/button-/],
  [/^icon\.market\./, /^sprites\/icons\/market-/],
  [/^icon\.event\./, /^sprites\/icons\/event-/],
  [/^vfx\./, /^sprites\/vfx\//],
];

describe("the graphics manifest", () => {
  it.each(FRAMES)("has a drawing of its class for %s", (key) => {
    const { path } = graphics.frames[key] ?? { path: "" };
    const kind = CLASSES.find(([pattern]) => pattern.test(key));
    expect(path).toMatch(kind?.[1] ?? /^no class knows this key$/);
    // The last word of a key is in its file's name, so that `human` never shows `agent`.
    expect(path.toLowerCase()).toContain((key.split(".").at(-1) ?? "").toLowerCase());
  });

  it.each(BACKGROUNDS)("has a background for %s", (key) => {
    expect(graphics.backgrounds[key]?.path).toMatch(/^backgrounds\/(starfield|planet)-\d\.svg$/);
  });

  it("names only files that exist and are SVG", () => {
    const entries = [...Object.values(graphics.frames), ...Object.values(graphics.backgrounds)];
    for (const { path } of entries) {
      expect(readFileSync(join(ROOT, path), "utf8"), path).toMatch(/^<svg [^]*<\/svg>\n$/);
    }
  });

  it("has keys of known classes only", () => {
    for (const [key, { path }] of Object.entries(graphics.frames)) {
      expect(
        CLASSES.some(([name, place]) => name.test(key) && place.test(path)),
        key,
      ).toBe(true);
    }
  });

  it("gives each commodity a colour of its own", () => {
    const names = ["iron", "nickel", "water_ice", "pge", "rare_isotopes", "volatiles"];
    const colors = names.map((name) => graphics.colors[name]);
    for (const color of colors) expect(color).toMatch(/^#[0-9a-f]{6}$/);
    expect(new Set(colors).size).toBe(6);
  });
});

describe("the audio manifest", () => {
  it("keeps the volumes of its groups", () => {
    expect(audio.groups["ui"]?.volume).toBe(0.6);
    expect(audio.groups["sfx"]?.volume).toBe(0.8);
  });

  it("names WAV files that exist, in the folder of their group", () => {
    let bytes = 0;
    for (const [key, cue] of Object.entries(audio.cues)) {
      expect(key.startsWith(`${cue.group}.`), key).toBe(true);
      for (const file of cue.files) {
        const path = join(ROOT, audio.groups[cue.group]?.basePath ?? "", file);
        expect(readFileSync(path).subarray(0, 4).toString(), path).toBe("RIFF");
        bytes += statSync(path).size;
      }
    }
    expect(bytes).toBeLessThan(600 * 1024);
  });

  it("has a file and a stand-in tone for every cue but silence", () => {
    for (const [key, cue] of Object.entries(audio.cues)) {
      if (key.endsWith(".none")) continue;
      expect(cue.files.length, key).toBeGreaterThan(0);
      expect(TONE_NAMES, key).toContain(cue.synth);
    }
  });

  it.each(CONTROLS)("has the control's cue %s", (key) => {
    expect(audio.cues[key]).toBeDefined();
  });
});

describe("the effects manifest", () => {
  it("has each action once", () => {
    expect(effects.actions.map(({ id }) => id)).toEqual(Array.from({ length: 69 }, (_, id) => id));
  });

  it("has every event", () => {
    const names =
      "invalid_action pirate_encounter overheat_tick fracture stranded destroyed terminated truncated";
    for (const name of names.split(" ")) expect(effects.events[name], name).toBeDefined();
  });

  it("resolves every effect and cue", () => {
    for (const row of [...effects.actions, ...Object.values(effects.events)]) {
      expect(graphics.frames[row.vfx], row.vfx).toBeDefined();
      expect(audio.cues[row.cue], row.cue).toBeDefined();
    }
  });
});

describe("assets", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("has a licence beside it", () => {
    expect(existsSync(join(ROOT, "LICENSE"))).toBe(true);
  });

  it("has built-in manifests that say what the files say", () => {
    expect(DEFAULT_GRAPHICS).toEqual(graphics);
    expect(DEFAULT_AUDIO).toEqual(audio);
    expect(DEFAULT_EFFECTS).toEqual(effects);
  });

  it("answers from the manifest before the defaults", () => {
    const entry = { path: "sprites/ships/other.svg", atlas: null, frame: null };
    const assets = assetsOf(
      { graphics: { frames: { "entity.ship.agent": entry } }, audio: {}, effects: {} },
      "x/",
    );
    expect(assets.frame("entity.ship.agent")).toBe("x/sprites/ships/other.svg");
    expect(assets.frame("entity.ship.human")).toBe("x/sprites/ships/human.svg");
    expect(assets.frame("entity.nothing")).toBeNull();
  });

  it("multiplies volumes and is silent for none", () => {
    const assets = assetsOf({ graphics: {}, audio: {}, effects: {} }, "./assets");
    expect(assets.cue("ui.step")).toEqual({
      files: ["./assets/sounds/ui/step.wav"],
      synth: "click",
      volume: 0.3,
    });
    expect(assets.cue("sfx.none")).toBeNull();
    expect(assets.effect(29)).toEqual({ vfx: "vfx.mine.standard", cue: "sfx.mine.mid" });
    expect(assets.effect(69)).toEqual({ vfx: "vfx.none", cue: "sfx.none" });
    expect(assets.event("nothing")).toBeNull();
  });

  it.each([
    ["cannot be reached", () => Promise.reject(new Error("offline"))],
    ["is missing", () => Promise.resolve(new Response("", { status: 404 }))],
    ["is not JSON", () => Promise.resolve(new Response("<html>"))],
    ["is no object", () => Promise.resolve(new Response("null"))],
  ])("falls back to the defaults where a manifest %s", async (_, fetch) => {
    vi.stubGlobal("fetch", fetch);
    const assets = await loadAssetsFrom("./assets");
    expect(assets.frame("entity.station")).toBe("./assets/sprites/station/station.svg");
    expect(assets.color("iron")).toBe(graphics.colors["iron"]);
    expect(assets.cue("sfx.travel.warp")?.files).toHaveLength(1);
  });
});
