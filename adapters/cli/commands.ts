import type { Command } from './command.js';

/** A command before it is loaded, with all that it needs. */
export interface CommandEntry {
  /** As the command itself has it: `token issue`. */
  readonly name: string;
  load(): Promise<Command>;
}

/** The command line, in the order of its help. Only the command that is chosen is loaded. */
export const commandEntries: readonly CommandEntry[] = [
  { name: 'serve', load: async () => (await import('./serve.js')).serveCommand },
  { name: 'token issue', load: async () => (await import('./token.js')).issueCommand },
  { name: 'token revoke', load: async () => (await import('./token.js')).revokeCommand },
  { name: 'tests record', load: async () => (await import('./record-tests.js')).recordCommand },
  { name: 'openapi', load: async () => (await import('./openapi.js')).openapiCommand },
  { name: 'conformance', load: async () => (await import('./conformance.js')).conformanceCommand },
];
