import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * A new database is filled under another name, and gets its own once it is complete: whoever finds the file finds all of it,
 * and a start that fails or is interrupted leaves nothing behind.
 */
export interface StagedDatabase {
  /** The file to fill. */
  readonly filename: string;
  /** Gives the file its name, unless another process was first: then that one's file stays. To be called when it is closed. */
  publish(): void;
  /** Removes whatever is left of the draft. */
  discard(): void;
}

const databaseFileSuffixes = ['', '-wal', '-shm', '-journal'];

export function stageDatabase(filename: string): StagedDatabase {
  const stagedFilename = join(dirname(filename), `.${basename(filename)}.${process.pid}.loading.db`);
  const discard = () => {
    for (const suffix of databaseFileSuffixes) rmSync(`${stagedFilename}${suffix}`, { force: true });
  };
  // Also when a signal ends the process in the middle of it.
  process.once('exit', discard);
  return {
    filename: stagedFilename,
    publish() {
      if ((statSync(`${stagedFilename}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
        throw new Error(`The database ${stagedFilename} was not closed to the end`);
      }
      linkOrRename(stagedFilename, filename);
    },
    discard() {
      discard();
      process.off('exit', discard);
    },
  };
}

/** A link, unlike a renaming, never takes the place of a file that another process has made meanwhile. */
function linkOrRename(stagedFilename: string, filename: string): void {
  try {
    linkSync(stagedFilename, filename);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    // Some file systems know no links.
    if (!existsSync(filename)) renameSync(stagedFilename, filename);
  }
}
