/** What can go wrong between page and server, each with what to do about it. */

export type ApiFault =
  "offline" | "denied" | "missing" | "refused" | "busy" | "broken" | "malformed";

export class ApiError extends Error {
  constructor(
    readonly fault: ApiFault,
    message: string,
    readonly status: number | null = null,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

const FAULT_BY_STATUS: Record<number, ApiFault> = {
  400: "refused",
  401: "denied",
  403: "denied",
  404: "missing",
  409: "refused",
  413: "refused",
  422: "refused",
  429: "busy",
  503: "busy",
};

export function faultOfStatus(status: number): ApiFault {
  return FAULT_BY_STATUS[status] ?? "broken";
}

const ADVICE: Record<ApiFault, string> = {
  offline: "Start the server with `astrarium serve`, or check the address in config.js.",
  denied: "This server asks for a token. Enter it under Settings.",
  missing: "It may have been deleted. Choose another from the list.",
  refused: "Change what was asked for and try again.",
  busy: "The server is at its limit. Wait a moment and try again.",
  broken: "The server's log says more. The rest of the page keeps working.",
  malformed: "Page and server may be of different versions. Rebuild one of them.",
};

export function adviceFor(error: unknown): string {
  return error instanceof ApiError ? ADVICE[error.fault] : "Reload the page and try again.";
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
