/** Tones that stand in for a cue whose file is missing, named as in the audio manifest. */

interface Tone {
  wave: OscillatorType;
  fromHz: number;
  toHz: number;
  seconds: number;
}

const TONES: Record<string, Tone> = {
  click: { wave: "sine", fromHz: 1300, toHz: 700, seconds: 0.05 },
  ping: { wave: "sine", fromHz: 1175, toHz: 1175, seconds: 0.2 },
  chime: { wave: "triangle", fromHz: 880, toHz: 1109, seconds: 0.25 },
  hum: { wave: "sawtooth", fromHz: 120, toHz: 135, seconds: 0.3 },
  sweep: { wave: "sawtooth", fromHz: 110, toHz: 560, seconds: 0.5 },
  noise: { wave: "triangle", fromHz: 160, toHz: 40, seconds: 0.4 },
  thud: { wave: "sine", fromHz: 150, toHz: 55, seconds: 0.22 },
  alarm: { wave: "square", fromHz: 466, toHz: 622, seconds: 0.4 },
};

export const TONE_NAMES = Object.keys(TONES);

/** Ends when the tone has; an unknown name is silence. */
export function playTone(context: AudioContext, name: string, into: AudioNode): Promise<void> {
  const tone = TONES[name];
  if (!tone) return Promise.resolve();
  return new Promise((done) => {
    const start = context.currentTime;
    const oscillator = context.createOscillator();
    const shape = context.createGain();
    oscillator.type = tone.wave;
    oscillator.frequency.setValueAtTime(tone.fromHz, start);
    oscillator.frequency.exponentialRampToValueAtTime(tone.toHz, start + tone.seconds);
    shape.gain.setValueAtTime(0.4, start);
    shape.gain.exponentialRampToValueAtTime(0.001, start + tone.seconds);
    oscillator.connect(shape).connect(into);
    oscillator.onended = () => {
      into.disconnect();
      done();
    };
    oscillator.start(start);
    oscillator.stop(start + tone.seconds);
  });
}
