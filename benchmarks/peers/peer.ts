import type { KnexTuning } from '../../adapters/knex/index.js';
import type { CacheOptions } from '../../core/options.js';

/** The endpoints that are measured. */
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

/** What a peer is started with: where it finds its data, and options that only Millrace has. */
export interface PeerOptions {
  readonly postgres?: string;
  readonly sqlite?: string;
  /** For `bare-http`: the response to each endpoint. For `json-server`: the `file` with its data. */
  readonly constants?: Readonly<Record<string, string>>;
  /** For Millrace: the option `cache` of `createApi`. */
  readonly cache?: CacheOptions;
  /** For Millrace on PostgreSQL: standby servers to read from. */
  readonly replicas?: readonly string[];
  /** For `millrace-ablation-…`: switches of `knexStorage`. */
  readonly tuning?: KnexTuning;
  /** For `millrace-ablation-…`: whether a response body is copied into one buffer before it is sent. */
  readonly joinBody?: boolean;
}

/** A server that gives the same responses as Millrace. Each peer runs in a process of its own. */
export interface Peer {
  readonly description: string;
  readonly database: 'PostgreSQL' | 'SQLite' | 'none';
  /** Whether the responses equal those of Millrace byte for byte, or only once they are parsed. */
  readonly equality: 'bytes' | 'JSON';
  readonly endpoints: readonly Endpoint[];
  start(peerOptions: PeerOptions): Promise<RunningPeer>;
}

export interface RunningPeer {
  readonly url: string;
  close(): Promise<void>;
}
