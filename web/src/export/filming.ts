/** A playing canvas as a picture, a film or a GIF. */

import type { Picture } from "./gif";

export function download(data: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function downloadText(text: string, name: string, type: string): void {
  download(new Blob([text], { type }), name);
}

/** WebGL clears its canvas after showing it, so pictures are taken right after a refresh. */
export function nextRefresh(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}

export function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) =>
        blob ? resolve(blob) : reject(new Error("the browser could not make the picture")),
      "image/png",
    ),
  );
}

export function pictureOf(canvas: HTMLCanvasElement, width: number): Picture {
  const height = Math.max(1, Math.round((canvas.height / Math.max(1, canvas.width)) * width));
  const small = document.createElement("canvas");
  small.width = width;
  small.height = height;
  const pen = small.getContext("2d", { willReadFrequently: true });
  if (!pen) throw new Error("the browser has no canvas to draw on");
  pen.drawImage(canvas, 0, 0, width, height);
  return { width, height, data: pen.getImageData(0, 0, width, height).data };
}

export function canFilm(): boolean {
  return typeof MediaRecorder !== "undefined" && "captureStream" in HTMLCanvasElement.prototype;
}

export interface Film {
  stop: () => Promise<Blob>;
}

const FILM_FRAMES_PER_SECOND = 30;
const FORMATS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

/** Record what the canvas shows until stopped. */
export function startFilm(canvas: HTMLCanvasElement): Film {
  const type = FORMATS.find((format) => MediaRecorder.isTypeSupported(format));
  const stream = canvas.captureStream(FILM_FRAMES_PER_SECOND);
  const recorder = new MediaRecorder(stream, {
    ...(type ? { mimeType: type } : {}),
    videoBitsPerSecond: 8_000_000,
  });
  const parts: Blob[] = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  recorder.start(1_000);
  return {
    stop: () =>
      new Promise((resolve) => {
        recorder.onstop = () => {
          for (const track of stream.getTracks()) track.stop();
          resolve(new Blob(parts, { type: "video/webm" }));
        };
        recorder.stop();
      }),
  };
}
