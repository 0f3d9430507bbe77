/**
 * The states that each value of the filter `state` finds (spec 3.1, decisions 7). The names `blocked_passed` and `blocked_failed`
 * stand for `passed` and `failed` builds with `blocked: true`.
 */
export const stateFilter = {
  scheduled: ['scheduled'],
  running: ['running'],
  failing: ['failing'],
  passed: ['passed', 'blocked_passed'],
  failed: ['failed', 'blocked_failed'],
  blocked: ['blocked_passed', 'blocked_failed'],
  canceling: ['canceling'],
  canceled: ['canceled'],
  skipped: ['skipped'],
  not_run: ['not_run'],
  finished: ['passed', 'failed', 'blocked_passed', 'blocked_failed', 'canceled'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type StateFilter = keyof typeof stateFilter;

/** The state that the filter compares, of a rendered build. */
export const filteredState = ({ state, blocked }: { readonly state: string; readonly blocked: boolean }): string =>
  blocked ? `blocked_${state}` : state;

/** Whether a value of the filter finds a rendered build. */
export const isInState = (value: StateFilter, build: Parameters<typeof filteredState>[0]): boolean =>
  (stateFilter[value] as readonly string[]).includes(filteredState(build));
