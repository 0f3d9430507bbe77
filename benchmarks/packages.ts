import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The packages that only the benchmarks need stand in a package of their own, which is installed on first use: the
 * project's `npm ci` would have to compile a second SQLite driver for nothing.
 */
const own = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'benchmarks');

/** Installs what is missing; says so first, since it takes a minute or two. */
export function installPackages(say: (line: string) => void): void {
  const wanted = readFileSync(join(own, 'package-lock.json'), 'utf8');
  const stamp = join(own, 'node_modules', '.package-lock.json');
  if (existsSync(stamp) && sameVersions(wanted, readFileSync(stamp, 'utf8'))) return;
  say('Installing the packages of the peers (benchmarks/package.json), once: a minute or two');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: own, stdio: ['ignore', 'ignore', 'inherit'] });
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly optional?: boolean }>>;
}

function sameVersions(wanted: string, installed: string): boolean {
  const there = (JSON.parse(installed) as Lock).packages;
  return Object.entries((JSON.parse(wanted) as Lock).packages).every(
    ([path, { version, optional }]) => path === '' || optional === true || there[path]?.version === version,
  );
}

/** Whether they are there: the tests leave out what needs them where they are not. */
export const arePackagesThere = (): boolean => existsSync(join(own, 'node_modules', 'better-sqlite3', 'build'));

/** Imports one of these packages. Its types are not known to the compiler; each caller says what it uses of it. */
export async function imported<T>(name: string): Promise<T> {
  const path = createRequire(join(own, 'package.json')).resolve(name);
  return (await import(pathToFileURL(path).href)) as T;
}

export function versionOf(name: string): string {
  return (JSON.parse(readFileSync(join(own, 'node_modules', name, 'package.json'), 'utf8')) as { version: string })
    .version;
}
