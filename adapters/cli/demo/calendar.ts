/** Times of the demo: all of them follow from the time at which it is loaded. */
export interface Calendar {
  readonly now: number;
  daysAgo(days: number): string;
}

export const minute = 60_000;
export const day = 24 * 60 * minute;

/** Milliseconds since 1970 as fixtures write them. */
export const isoTime = (at: number): string => new Date(at).toISOString();

export const calendarAt = (now: number): Calendar => ({ now, daysAgo: (days) => isoTime(now - days * day) });
