import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * A new database is filled under a temporary name and renamed when it is complete. So a database file is never incomplete, and a
 * start that fails or is interrupted leaves no file behind.
 */
export interface StagedDatabase {
  /** The file to fill. */
  readonly filename: string;
  /** Gives the file its final name. If another process has created that file in the meantime, its file stays. Call it after closing. */
  publish(): void;
  /** Removes the remaining temporary files. */
  discard(): void;
}

const databaseFileSuffixes = ['', '-wal', '-shm', '-journal'];

export function stageDatabase(filename: string): StagedDatabase {
  const stagedFilename = join(dirname(filename), `.${basename(filename)}.${process.pid}.loading.db`);
  const discard = () => {
    for (const suffix of databaseFileSuffixes) rmSync(`${stagedFilename}${suffix}`, { force: true });
  };
  // Also when a signal ends the process.
  process.once('exit', discard);
  return {
    filename: stagedFilename,
    publish() {
      if ((statSync(`${stagedFilename}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
        throw new Error(`The database ${stagedFilename} was not closed completely`);
      }
      linkOrRename(stagedFilename, filename);
    },
    discard() {
      discard();
      process.off('exit', discard);
    },
  };
}

/** Unlike a rename, a link never replaces a file that another process has created in the meantime. */
function linkOrRename(stagedFilename: string, filename: string): void {
  try {
    linkSync(stagedFilename, filename);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    // Some file systems do not support links.
    if (!existsSync(filename)) renameSync(stagedFilename, filename);
  }
}
