import type { Command } from './command.js';

/** A command that is loaded on demand, together with its imports. */
export interface CommandEntry {
  /** The name of the command: `token issue`. */
  readonly name: string;
  load(): Promise<Command>;
}

/** All commands, in the order of the help. Only the chosen command is loaded. */
export const commandEntries: readonly CommandEntry[] = [
  { name: 'serve', load: async () => (await import('./serve.js')).serveCommand },
  { name: 'token issue', load: async () => (await import('./token.js')).issueCommand },
  { name: 'token revoke', load: async () => (await import('./token.js')).revokeCommand },
  { name: 'tests record', load: async () => (await import('./record-tests.js')).recordCommand },
  { name: 'openapi', load: async () => (await import('./openapi.js')).openapiCommand },
  { name: 'conformance', load: async () => (await import('./conformance.js')).conformanceCommand },
];
