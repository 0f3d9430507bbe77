import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import test from 'ava';

interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** What `npm publish` would send. Newer versions of npm answer with an object by package name. */
const answer = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
);
const [packed] = Object.values<Packed>(answer);
const paths = new Set(packed?.files.map(({ path }) => path));

/** Bytes; today's size and a tenth more. */
const maxUnpackedSize = 2_600_000;

test('the package is no larger than it has to be', (t) => {
  const { size = 0, unpackedSize = Number.POSITIVE_INFINITY } = packed ?? {};
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1_000)} kB`;
  t.log(`${paths.size} files, ${kilobytes(unpackedSize)}, packed ${kilobytes(size)}`);
  t.true(unpackedSize < maxUnpackedSize, `${unpackedSize} bytes: remove something, or say here why it has to be more`);
});

/** Source maps have no sources there; pictures, examples, tests and what they share serve this repository only. */
const forbidden =
  /\.(map|svg|png|tsbuildinfo)$|\.test\.|^dist\/(benchmarks|examples|test)\/|^dist\/conformance\/mutants\//;

test('nothing is in the package that serves this repository only', (t) => {
  t.deepEqual(
    [...paths].filter((path) => forbidden.test(path)),
    [],
  );
});

test('every entry and the command are in the package', (t) => {
  const { exports, bin } = JSON.parse(readFileSync('package.json', 'utf8'));
  const entries = [...Object.values<object | string>(exports), bin].flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values<string>(entry as Record<string, string>),
  );
  t.deepEqual(
    entries.map((path) => normalize(path)).filter((path) => !paths.has(path)),
    [],
  );
});

test('what a file of the package imports is in the package', (t) => {
  const missing = [...paths]
    .filter((path) => /\.c?js$/.test(path) && existsSync(path))
    .flatMap((path) =>
      [
        ...readFileSync(path, 'utf8').matchAll(
          /(?:^(?:import|export)\s[^;'"]*?from\s+|^import\s+|\bimport\(|\brequire\()'(\.[^']+)'/gm,
        ),
      ]
        .map(([, name = '']) => normalize(join(dirname(path), name)))
        .filter((target) => !paths.has(target))
        .map((target) => `${path} imports ${target}`),
    );
  t.deepEqual(missing, []);
});
