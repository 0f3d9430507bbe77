import type { QueryRow, Row } from '../model/index.js';
import type { Caller } from '../ports/index.js';
import type { Reader } from './operation.js';
import { isUuid } from './parameters.js';
import { forbidden, notFound, type Refusal } from './refusal.js';
import { type Schema, text, uuid } from './schema.js';
import { isStorable } from './validation.js';

/** The records that path parameters stand for. A path such as `/v2/organizations/{organization}/…` names them. */
export interface Resolution {
  organization: Row<'organization'>;
  pipeline: Row<'pipeline'>;
  build: QueryRow<'build.byNumber'>;
  agent: QueryRow<'agent.inOrganization'>;
}

export type ResolverName = keyof Resolution;

/** The records named by the placeholders of a path. */
export type PathParameters<P extends string> = {
  readonly [K in Placeholder<P> & ResolverName]: Resolution[K];
};
type Placeholder<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/**
 * How a path parameter becomes a record. It looks below the records before it in the path only, so that nobody reaches
 * another tenant's records, and no operation has to check.
 */
interface Resolver<K extends ResolverName> {
  /** As in `No pipeline found`. */
  readonly what: string;
  readonly schema: Schema<string>;
  readonly description: string;
  find(value: string, at: Partial<Resolution>, caller: Caller, reader: Reader): Promise<Resolution[K] | undefined>;
}

export const resolvers: { readonly [K in ResolverName]: Resolver<K> } = {
  organization: {
    what: 'organization',
    schema: text(),
    description: "The organization's slug",
    /** One that the token may not use is not told from one that does not exist (decisions 2). */
    async find(slug, _at, caller, reader) {
      const [organization] = await reader.select('organization.bySlug', { slug }, 1);
      return organization && membershipOf(caller, organization.id) ? organization : undefined;
    },
  },
  pipeline: {
    what: 'pipeline',
    schema: text(),
    description: "The pipeline's slug",
    async find(slug, at, _caller, reader) {
      const [pipeline] = await reader.select(
        'pipeline.bySlug',
        { organization: above(at, 'organization').id, slug },
        1,
      );
      return pipeline;
    },
  },
  build: {
    what: 'build',
    schema: text({ pattern: '^[0-9]+$' }),
    description: "The build's number",
    async find(value, at, _caller, reader) {
      const number = /^[1-9]\d{0,15}$/.test(value) ? Number(value) : 0;
      if (!Number.isSafeInteger(number) || number === 0) return undefined;
      const [build] = await reader.select('build.byNumber', { pipeline: above(at, 'pipeline').id, number }, 1);
      return build;
    },
  },
  agent: {
    what: 'agent',
    schema: uuid(),
    description: "The agent's id",
    async find(value, at, _caller, reader) {
      if (!isUuid(value)) return undefined;
      const [agent] = await reader.load('agent.inOrganization', [value.toLowerCase()]);
      return agent?.organization_id === above(at, 'organization').id ? agent : undefined;
    },
  },
};

export const membershipOf = (caller: Caller, organizationId: string) =>
  caller.organizations.find((membership) => membership.organization_id === organizationId);

function above<K extends ResolverName>(at: Partial<Resolution>, name: K): Resolution[K] {
  const record = at[name];
  if (record === undefined) throw new Error(`The path names no ${name} before it is needed`);
  return record as Resolution[K];
}

/**
 * Resolves the parameters of a path in their order; a 404 for the first that names nothing. `allowed` is asked once the
 * organization is known: a right that the caller lacks is told before whether the record exists (decisions 12).
 */
export async function resolvePath(
  params: Readonly<Record<string, string>>,
  caller: Caller,
  reader: Reader,
  allowed: (organization: Row<'organization'>) => Promise<boolean>,
): Promise<Partial<Resolution> | Refusal> {
  const at: Partial<Record<ResolverName, unknown>> = {};
  for (const [name, value] of Object.entries(params) as [ResolverName, string][]) {
    // What no record can be called is not looked for: some databases refuse the question.
    const record = isStorable(value)
      ? await resolvers[name].find(value, at as Partial<Resolution>, caller, reader)
      : undefined;
    if (record === undefined) return notFound(resolvers[name].what);
    at[name] = record;
    if (name === 'organization' && !(await allowed(record as Row<'organization'>))) return forbidden();
  }
  return at as Partial<Resolution>;
}
