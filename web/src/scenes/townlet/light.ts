/** Day and night as shares of light. */

/** Daylight of a day of 1000 ticks. */
const SUNRISE = 83;
const SUNSET = 666;
/** How long dawn and dusk last. */
const TWILIGHT = 60;

/** 0 at night, 1 by day, between them at dawn and dusk. */
export function daylight(tod: number, perDay = 1000): number {
  const at = (tod / perDay) * 1000;
  const risen = (at - (SUNRISE - TWILIGHT / 2)) / TWILIGHT;
  const left = (SUNSET + TWILIGHT / 2 - at) / TWILIGHT;
  return Math.min(1, Math.max(0, Math.min(risen, left)));
}

/** 1 in the middle of dawn or dusk, 0 else. */
export function twilight(tod: number, perDay = 1000): number {
  const light = daylight(tod, perDay);
  return light * (1 - light) * 4;
}
