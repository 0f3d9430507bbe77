import type { CachedPipeline, Caller, Lookups } from './lookups.js';

/** The operations of a peer, for requests that are authorized. They return JSON text. */
export interface Service {
  readonly lookups: Lookups;
  read(pipeline: CachedPipeline, number: number): Promise<string | undefined>;
  list(pipeline: CachedPipeline, listQuery: ListQuery): Promise<ListPage>;
  agents(organization: string, page: number): Promise<ListPage>;
  create?(pipeline: CachedPipeline, input: NewBuild, caller: Caller): Promise<string | undefined>;
  /** Returns undefined if there is no such build, or it cannot be canceled. */
  cancel?(pipeline: CachedPipeline, number: number, caller: Caller): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface ListQuery {
  readonly page: number;
  readonly state?: string | undefined;
  readonly branch?: string | undefined;
}

export interface ListPage {
  readonly text: string;
  readonly more: boolean;
  readonly total: number;
}

export interface NewBuild {
  readonly commit: string;
  readonly branch: string;
  readonly message: string;
  readonly env: Readonly<Record<string, string>>;
  readonly meta_data: Readonly<Record<string, string>>;
  readonly author: { readonly name: string; readonly email: string };
}

export const perPage = 30;

/** The condition of a list and its values. `$1` is the pipeline's id. */
export function whereConditions({ state, branch }: ListQuery): {
  readonly sql: string;
  readonly values: readonly string[];
} {
  const filters = [
    ...(branch === undefined ? [] : (['branch'] as const)),
    ...(state === undefined ? [] : (['state'] as const)),
  ];
  const values = filters.map((name) => (name === 'branch' ? branch : state) ?? '');
  return { sql: filters.map((name, index) => ` and ${name} = $${index + 2}`).join(''), values };
}

/** The statement that counts the total of a list. */
export const countSql = (conditions: string): string =>
  `select 1 from millrace_builds where pipeline_id = $1${conditions}`;

export const connectedAgentsSql = `select 1 from millrace_agents where organization_id = $1 and connection_state = 'connected'`;
