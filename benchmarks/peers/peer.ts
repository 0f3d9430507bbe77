import type { ApiOptions } from '../../core/index.js';

/** What is asked of the peers. */
export const endpoints = [
  'one build',
  'list, page 1',
  'list, state + branch',
  'list, far page',
  'create',
  'cancel',
  'list agents',
] as const;
export type Endpoint = (typeof endpoints)[number];

/** Where the peers find their data. */
export interface PeerOptions {
  readonly postgres?: string;
  readonly sqlite?: string;
  /** For the bare server: the answer to each endpoint, as bytes. */
  readonly constants?: Readonly<Record<string, string>>;
  /** For ourselves: what to keep in memory. */
  readonly cache?: CacheOptions;
  /** For ourselves: standby servers to read from. */
  readonly replicas?: readonly string[];
}

/** The option of `createApi` that says what it may keep; 0 turns a part off. */
export interface CacheOptions {
  readonly renderings?: number;
  readonly lookups?: number;
}

/** A way to serve the same answers; each runs in a process of its own. */
export interface Peer {
  readonly description: string;
  readonly database: 'PostgreSQL' | 'SQLite' | 'none';
  /** Whether the answers are byte for byte ours, or only equal once they are parsed. */
  readonly equality: 'bytes' | 'JSON';
  readonly endpoints: readonly Endpoint[];
  start(peerOptions: PeerOptions): Promise<RunningPeer>;
}

export interface RunningPeer {
  readonly url: string;
  close(): Promise<void>;
}

export type OptionsWithCache = ApiOptions & { readonly cache?: CacheOptions };
