/**
 * The check of options that every public function of the library uses: unknown keys and wrong types are refused by name, with
 * the function, the option and the value. Uses nothing of Node, since the client and the fetch handler import it.
 */
export interface OptionCheck {
  /** What the option must be, as in `a positive number`. */
  readonly expected: string;
  /** Whether it is. Not called for `undefined`, which is the same as no option. */
  accepts(value: unknown): boolean;
  /** Whether the option must be given. */
  readonly required?: boolean;
  /** For an option that is an object with options of its own. */
  readonly nested?: OptionChecks;
}

/** The check of each option, by its name. */
export type OptionChecks = Readonly<Record<string, OptionCheck>>;

/** The checks of an interface of options: the compiler refuses a table that lacks one of them. */
export type ChecksOf<Options> = { readonly [Key in keyof Required<Options>]: OptionCheck };

/**
 * Throws a `TypeError` for the first option that is unknown, missing or wrong. `where` is the function that was called.
 * A value of `undefined` counts as absent.
 */
export function checkOptions(where: string, options: unknown, checks: OptionChecks, path = ''): void {
  if (!isObject(options)) {
    const what = path === '' ? 'the options' : `option "${path}"`;
    throw new TypeError(`${where}: ${what} must be an object, not ${describe(options)}`);
  }
  const nameOf = (key: string): string => (path === '' ? key : `${path}.${key}`);
  for (const [key, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
    if (check === undefined) {
      const meant = closest(key, Object.keys(checks));
      const hint = meant === undefined ? '' : `; did you mean "${nameOf(meant)}"?`;
      throw new TypeError(`${where}: unknown option "${nameOf(key)}"${hint}`);
    }
    if (value === undefined) continue;
    if (check.nested) checkOptions(where, value, check.nested, nameOf(key));
    else if (!check.accepts(value)) throw wrongOption(where, nameOf(key), check, value);
  }
  for (const [key, check] of Object.entries(checks)) {
    if (check.required && options[key] === undefined) throw missingOption(where, nameOf(key), check);
  }
}

/** The error for an option whose value is not what it must be. */
export const wrongOption = (where: string, name: string, { expected }: OptionCheck, value: unknown): TypeError =>
  new TypeError(`${where}: option "${name}" must be ${expected}, not ${describe(value)}`);

/** The error for an option that must be given. */
export const missingOption = (where: string, name: string, { expected }: OptionCheck): TypeError =>
  new TypeError(`${where}: option "${name}" is missing; it must be ${expected}`);

const check = (expected: string, accepts: (value: unknown) => boolean): OptionCheck => ({ expected, accepts });

export const required = (one: OptionCheck): OptionCheck => ({ ...one, required: true });
export const nested = (checks: OptionChecks): OptionCheck => ({ ...check('an object', isObject), nested: checks });

export const text = check('a string', (value) => typeof value === 'string');
export const nonEmptyText = check('a string that is not empty', (value) => typeof value === 'string' && value !== '');
export const flag = check('true or false', (value) => typeof value === 'boolean');
export const anyFunction = check('a function', (value) => typeof value === 'function');
export const anyObject = check('an object', isObject);
export const anything = check('anything', () => true);

export const positive = check('a positive number', (value) => Number.isFinite(value) && (value as number) > 0);
/** A time in milliseconds, 0 included. */
export const milliseconds = check(
  'a number of milliseconds, 0 or more',
  (value) => Number.isFinite(value) && (value as number) >= 0,
);

export const numberFrom = (least: number, most: number): OptionCheck =>
  check(
    `a number from ${least} to ${most}`,
    (value) => Number.isFinite(value) && (value as number) >= least && (value as number) <= most,
  );

export const integerFrom = (least: number, most = Number.MAX_SAFE_INTEGER): OptionCheck =>
  check(
    most === Number.MAX_SAFE_INTEGER ? `an integer, ${least} or more` : `an integer from ${least} to ${most}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  );

export const oneOf = (...values: readonly string[]): OptionCheck =>
  check(`one of ${values.map((value) => JSON.stringify(value)).join(', ')}`, (value) =>
    values.includes(value as string),
  );

/** An implementation of an interface, known by its functions. */
export const objectWith = (what: string, ...functions: readonly string[]): OptionCheck =>
  check(
    `${what} (an object with the functions ${functions.join(', ')})`,
    (value) => isObject(value) && functions.every((name) => typeof value[name] === 'function'),
  );

/** An absolute http or https URL, which may have a path. */
export const httpUrl = check('an http or https URL without a query', (value) => {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
});

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const longestShown = 60;

/** A value as the message shows it. Objects are not shown: they may be large, or hold secrets. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (isObject(value)) return 'an object';
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > longestShown ? `${value.slice(0, longestShown)}…` : value);
}

/** The known name that a misspelt one is nearest to; undefined if it is far from all of them. */
function closest(name: string, known: readonly string[]): string | undefined {
  const distances = known.map(
    (candidate) => [editDistance(name.toLowerCase(), candidate.toLowerCase()), candidate] as const,
  );
  const [nearest] = distances.toSorted(([a], [b]) => a - b);
  return nearest && nearest[0] <= Math.max(2, name.length / 3) ? nearest[1] : undefined;
}

/** How many characters have to be inserted, removed or replaced to make one text of the other (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
