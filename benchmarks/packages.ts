import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The packages that only the benchmarks need have their own package.json, and are installed on first use. Otherwise the
 * project's `npm ci` would have to compile a second SQLite driver.
 */
const packageDirectory = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'benchmarks');

/** Installs missing packages, and announces it, because it takes a minute or two. */
export function installPackages(say: (line: string) => void): void {
  const wanted = readFileSync(join(packageDirectory, 'package-lock.json'), 'utf8');
  const installedLockFile = join(packageDirectory, 'node_modules', '.package-lock.json');
  if (existsSync(installedLockFile) && sameVersions(wanted, readFileSync(installedLockFile, 'utf8'))) return;
  say('Installing the packages of the peers (benchmarks/package.json). This happens once and takes a minute or two');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: packageDirectory,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly optional?: boolean }>>;
}

function sameVersions(wanted: string, installed: string): boolean {
  const installedPackages = (JSON.parse(installed) as Lock).packages;
  return Object.entries((JSON.parse(wanted) as Lock).packages).every(
    ([path, { version, optional }]) => path === '' || optional === true || installedPackages[path]?.version === version,
  );
}

/** Whether the packages are installed. Tests skip the peers that need them if they are not. */
export const arePackagesInstalled = (): boolean =>
  existsSync(join(packageDirectory, 'node_modules', 'better-sqlite3', 'build'));

/** Imports one of these packages. The compiler does not know its types, so each caller declares what it uses. */
export async function importPackage<T>(name: string): Promise<T> {
  const path = createRequire(join(packageDirectory, 'package.json')).resolve(name);
  return (await import(pathToFileURL(path).href)) as T;
}

export function versionOf(name: string): string {
  return (
    JSON.parse(readFileSync(join(packageDirectory, 'node_modules', name, 'package.json'), 'utf8')) as {
      version: string;
    }
  ).version;
}
