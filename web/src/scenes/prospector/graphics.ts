// Which of its ways of drawing the library should take.

/** Drivers that compute WebGL on the processor, by the names they give themselves. */
const ON_THE_PROCESSOR = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Without a graphics card a plain canvas is many times faster than WebGL. */
export function preferredRenderer(): "webgl" | "canvas" {
  const gl = document
    .createElement("canvas")
    .getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  if (!gl) return "canvas";
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const driver: unknown = names && gl.getParameter(names.UNMASKED_RENDERER_WEBGL);
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return ON_THE_PROCESSOR.test(String(driver)) ? "canvas" : "webgl";
}

interface CanvasContexts {
  setBlendMode(mode: string): void;
  _activeBlendMode: string | null;
}

/**
 * The canvas renderer remembers the blend mode it last set, but shapes restore the canvas behind
 * its back: after one, the next sprite was added to what lies below it and shone white.
 */
export function neverTrustTheBlendMode(renderer: object): void {
  const contexts = (renderer as { canvasContext?: CanvasContexts }).canvasContext;
  if (!contexts) return;
  const set = contexts.setBlendMode.bind(contexts);
  contexts.setBlendMode = (mode) => {
    contexts._activeBlendMode = null;
    set(mode);
  };
}
