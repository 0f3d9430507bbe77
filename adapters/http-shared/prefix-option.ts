import { type ChecksOf, checkOptions, type OptionChecks, text } from '../../core/options-check.js';
import { normalizePrefix } from './prefix.js';

/** The option that all mounts have. */
export interface PrefixOption {
  readonly prefix?: string | undefined;
}

export const prefixCheck: ChecksOf<PrefixOption> = { prefix: text };

/** Checks the options of a mount, and returns its prefix without a slash at the end. */
export function readPrefix(where: string, options: PrefixOption, checks: OptionChecks = prefixCheck): string {
  checkOptions(where, options, checks);
  return normalizePrefix(options.prefix);
}
