// The ship and what happens to it.

import { bell, echo, noise, silence, tone } from "./synth.mjs";

export function worldCues() {
  const cues = { ...travel(), ...scans(), ...mining(), ...work(), ...stationCalls(), ...events() };
  return Object.fromEntries(
    Object.entries(cues).map(([name, samples]) => [`sfx/${name}`, samples]),
  );
}

function travel() {
  const warp = silence(0.62);
  noise(warp, { seconds: 0.62, from: 300, to: 3600, gain: 0.5, rise: 0.3, fall: 1.4, seed: 3 });
  tone(warp, {
    seconds: 0.6,
    from: 90,
    to: 620,
    wave: "saw",
    gain: 0.32,
    rise: 0.3,
    fall: 1.6,
    vibrato: [11, 0.02],
  });
  const boost = silence(0.55);
  noise(boost, { seconds: 0.55, from: 2400, to: 260, rise: 0.03, fall: 1.6, seed: 5 });
  tone(boost, { seconds: 0.5, from: 130, to: 60, wave: "saw", gain: 0.5, rise: 0.02 });
  return { "travel-warp": warp, "travel-boost": boost };
}

function scans() {
  const wide = echo(
    tone(silence(0.5), { seconds: 0.32, from: 520, to: 1250, gain: 0.8, rise: 0.05 }),
    0.14,
    0.45,
  );
  const focus = silence(0.4);
  [0, 0.09, 0.18].forEach((start, i) =>
    tone(focus, { start, seconds: 0.16, from: 988 + i * 196, rise: 0.005, fall: 3 }),
  );
  const deep = silence(0.6);
  tone(deep, { seconds: 0.6, from: 110, to: 220, gain: 0.7, rise: 0.2, vibrato: [7, 0.03] });
  tone(deep, {
    start: 0.05,
    seconds: 0.5,
    from: 660,
    to: 1320,
    gain: 0.3,
    rise: 0.3,
    vibrato: [13, 0.02],
  });
  const listen = echo(bell(silence(0.5), { seconds: 0.36, pitch: 740, gain: 0.8 }), 0.17, 0.4);
  return { "scan-wide": wide, "scan-focus": focus, "scan-deep": deep, "scan-listen": listen };
}

function mining() {
  const drill = (pitch, rough, seed) => {
    const samples = silence(0.34);
    tone(samples, {
      seconds: 0.34,
      from: pitch,
      to: pitch * 1.12,
      wave: "saw",
      gain: 0.5,
      rise: 0.03,
      fall: 1.3,
      vibrato: [28, 0.05],
    });
    noise(samples, {
      seconds: 0.34,
      from: rough,
      to: rough * 0.5,
      gain: 0.7,
      rise: 0.02,
      fall: 1.6,
      seed,
      high: 300,
    });
    return samples;
  };
  return {
    "mine-low": drill(98, 1100, 7),
    "mine-mid": drill(131, 1900, 11),
    "mine-high": drill(175, 3000, 13),
  };
}

function work() {
  const stabilize = silence(0.5);
  [392, 494, 587].forEach((from, i) =>
    tone(stabilize, {
      start: i * 0.05,
      seconds: 0.4,
      from,
      gain: 0.5,
      rise: 0.08,
      vibrato: [6, 0.01],
    }),
  );
  const refine = silence(0.45);
  [1175, 1480, 1760, 2349].forEach((pitch, i) =>
    bell(refine, { start: i * 0.06, seconds: 0.24, pitch, gain: 0.5 }),
  );
  const cooldown = noise(silence(0.5), {
    seconds: 0.5,
    from: 5200,
    to: 900,
    rise: 0.03,
    fall: 1.8,
    seed: 17,
    high: 700,
  });
  const clang = (pitch, times) => {
    const samples = silence(0.36);
    times.forEach((start, i) => {
      bell(samples, { start, seconds: 0.2, pitch: pitch * (1 + i * 0.12), gain: 0.7 });
      noise(samples, {
        start,
        seconds: 0.05,
        from: 3000,
        gain: 0.5,
        rise: 0.002,
        seed: 19 + i,
        high: 500,
      });
    });
    return samples;
  };
  const jettison = silence(0.4);
  noise(jettison, { seconds: 0.36, from: 1500, to: 200, rise: 0.01, seed: 23 });
  tone(jettison, { seconds: 0.2, from: 140, to: 55, gain: 0.9, rise: 0.004 });
  return {
    "utility-stabilize": stabilize,
    "utility-refine": refine,
    "utility-cooldown": cooldown,
    "utility-tool_repair": clang(880, [0, 0.09, 0.18]),
    "utility-hull_patch": clang(520, [0, 0.14]),
    "utility-jettison": jettison,
  };
}

function stationCalls() {
  const dock = silence(0.55);
  tone(dock, { seconds: 0.22, from: 120, to: 52, rise: 0.004, gain: 0.9 });
  noise(dock, {
    start: 0.12,
    seconds: 0.4,
    from: 2600,
    to: 500,
    gain: 0.35,
    rise: 0.04,
    seed: 29,
    high: 400,
  });
  bell(dock, { start: 0.18, seconds: 0.34, pitch: 587, gain: 0.4 });
  const melody = (pitches, gap, seconds) => {
    const samples = silence(seconds);
    pitches.forEach((pitch, i) =>
      bell(samples, {
        start: i * gap,
        seconds: Math.min(0.34, seconds - i * gap),
        pitch,
        gain: 0.7,
      }),
    );
    return samples;
  };
  return {
    "station-dock": dock,
    "station-sell": melody([1319, 1760], 0.07, 0.4),
    "station-buy": melody([880, 1109], 0.07, 0.3),
    "station-overhaul": melody([587, 740, 880, 1175], 0.1, 0.62),
    "ui-run_end": melody([587, 740, 880, 1175, 1480], 0.12, 0.8),
  };
}

function events() {
  const alarm = silence(0.64);
  [0, 0.16, 0.32, 0.48].forEach((start, i) =>
    tone(alarm, {
      start,
      seconds: 0.15,
      from: i % 2 ? 466 : 622,
      wave: "square",
      gain: 0.6,
      rise: 0.01,
      fall: 0.7,
    }),
  );
  const heat = silence(0.5);
  [0, 0.17, 0.34].forEach((start) =>
    tone(heat, {
      start,
      seconds: 0.13,
      from: 698,
      to: 784,
      wave: "triangle",
      gain: 0.8,
      rise: 0.008,
      fall: 1,
    }),
  );
  const fail = silence(0.7);
  tone(fail, {
    seconds: 0.7,
    from: 240,
    to: 42,
    wave: "saw",
    gain: 0.7,
    rise: 0.01,
    fall: 1.2,
    vibrato: [9, 0.06],
  });
  noise(fail, { seconds: 0.6, from: 900, to: 120, gain: 0.4, seed: 31 });
  const blast = (seconds, from, seed) => {
    const samples = silence(seconds);
    noise(samples, { seconds, from, to: 90, gain: 1.2, rise: 0.004, fall: 2.4, seed });
    tone(samples, { seconds: seconds * 0.6, from: 110, to: 34, gain: 0.9, rise: 0.004, fall: 2 });
    return samples;
  };
  return {
    "event-pirate_alarm": alarm,
    "event-overheat_alarm": heat,
    "event-engine_fail": fail,
    "event-explosion": blast(0.6, 2200, 37),
    "event-big_explosion": blast(0.9, 2800, 41),
  };
}
