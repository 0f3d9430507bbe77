import type { Caller, KnownPipeline, Lobby } from './lobby.js';

/** What a peer has to do for a request that has been let in. Answers are JSON text. */
export interface Service {
  readonly lobby: Lobby;
  one(pipeline: KnownPipeline, number: number): Promise<string | undefined>;
  list(pipeline: KnownPipeline, wanted: Wanted): Promise<Listed>;
  agents(organization: string, page: number): Promise<Listed>;
  create?(pipeline: KnownPipeline, input: NewBuild, caller: Caller): Promise<string | undefined>;
  /** Undefined: there is no such build, or it cannot be canceled. */
  cancel?(pipeline: KnownPipeline, number: number, caller: Caller): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface Wanted {
  readonly page: number;
  readonly state?: string | undefined;
  readonly branch?: string | undefined;
}

export interface Listed {
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

/** The condition of a list and its values, after the pipeline's id as `$1`. */
export function conditionsOf({ state, branch }: Wanted): { readonly sql: string; readonly values: readonly string[] } {
  const given = [
    ...(branch === undefined ? [] : (['branch'] as const)),
    ...(state === undefined ? [] : (['state'] as const)),
  ];
  const values = given.map((name) => (name === 'branch' ? branch : state) ?? '');
  return { sql: given.map((name, place) => ` and ${name} = $${place + 2}`).join(''), values };
}

/** The statement that totals are counted with. */
export const countingSql = (conditions: string): string =>
  `select 1 from millrace_builds where pipeline_id = $1${conditions}`;

export const connectedSql = `select 1 from millrace_agents where organization_id = $1 and connection_state = 'connected'`;
