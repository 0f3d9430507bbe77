import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Knex } from 'knex';
import { importPackage } from '../../packages.js';
import { endpoints, type Peer } from '../peer.js';
import { groupBy } from '../shared/group-by.js';
import { linkHeader } from '../shared/link-header.js';
import type { CachedPipeline, Caller, Lookups } from '../shared/lookups.js';
import { renderAgent, renderBuild } from '../shared/render.js';
import {
  connectedAgentsSql,
  countSql,
  type NewBuild,
  perPage,
  type Service,
  whereConditions,
} from '../shared/service.js';
import { createKnex, type DatabaseRow, knexStore } from './knex-store.js';

/** What is used of Feathers. */
interface KnexService {
  createQuery(params: Params): Knex.QueryBuilder;
  find(params: Params): Promise<DatabaseRow[]>;
}
interface Params {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly paginate?: false;
  readonly knex?: Knex.QueryBuilder;
  readonly route?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly caller?: Caller;
  link?: string | undefined;
}
interface Context {
  params: Params;
  http?: { headers?: Record<string, string> };
}
interface Application {
  use(path: string | unknown, service?: unknown, options?: unknown): void;
  service(path: string): { hooks(hooks: unknown): void } & KnexService;
  configure(what: unknown): void;
  listen(port: number, host: string): Promise<Server>;
}
interface Packages {
  readonly feathers: () => unknown;
  readonly koa: (app: unknown) => Application;
  readonly rest: () => unknown;
  readonly bodyParser: () => unknown;
  readonly errorHandler: () => unknown;
  readonly KnexService: new (options: object) => KnexService;
}

/** Feathers 5 over Koa: a service for each table, services of the API on top of them, relations loaded in batches. */
export const feathersKnex: Peer = {
  description: 'Feathers + knex, batched',
  database: 'PostgreSQL',
  equality: 'JSON',
  endpoints,
  async start({ postgres = '' }) {
    const { feathers } = (await importPackage<{ default: Packages }>('@feathersjs/feathers')).default;
    const { koa, rest, bodyParser, errorHandler } = (await importPackage<{ default: Packages }>('@feathersjs/koa'))
      .default;
    const { KnexService } = (await importPackage<{ default: Packages }>('@feathersjs/knex')).default;
    const Model = await createKnex({ postgres });
    const store = knexStore(Model);
    const app = koa(feathers());
    app.use(errorHandler());
    app.use(bodyParser());
    app.configure(rest());
    for (const name of ['builds', 'jobs', 'users', 'agents']) {
      app.use(`tables/${name}`, new KnexService({ Model, name: `millrace_${name}`, id: 'id', paginate: false }), {
        methods: ['find'],
      });
    }
    const hooks = { before: { all: [authenticate(store.lookups)] }, after: { find: [setLinkHeader] } };
    const builds = 'v2/organizations/:organization/pipelines/:pipeline/builds';
    app.use(`${builds}/:number/cancel`, cancelService(store), { methods: ['update'] });
    app.use(builds, buildsService(app, store), { methods: ['find', 'get', 'create'] });
    app.use('v2/organizations/:organization/agents', agentsService(app, store), { methods: ['find'] });
    for (const path of [`${builds}/:number/cancel`, builds, 'v2/organizations/:organization/agents'])
      app.service(path).hooks(hooks);
    const server = await app.listen(0, '127.0.0.1');
    if (!server.listening) await once(server, 'listening');
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: async () => {
        server.closeAllConnections();
        server.close();
        await store.close();
      },
    };
  },
};

const authenticate = (lookups: Lookups) => async (context: Context) => {
  const scope = context.params.route && 'pipeline' in context.params.route ? 'read_builds' : 'read_agents';
  const caller = await lookups.authenticate(context.params.headers?.authorization, scope);
  if (caller === undefined) throw new Error('Authentication required');
  context.params = { ...context.params, caller };
};

const setLinkHeader = async (context: Context) => {
  if (context.params.link !== undefined) context.http = { ...context.http, headers: { Link: context.params.link } };
};

async function pipelineFor({ lookups }: Service, params: Params): Promise<CachedPipeline> {
  const pipeline = await lookups.pipeline(params.route?.pipeline ?? '');
  if (pipeline === undefined) throw new Error('No pipeline found');
  return pipeline;
}

/** The newest first, as the index has them. */
const newestFirst = (query: Knex.QueryBuilder) => query.orderByRaw('created_at desc nulls last, id desc nulls last');

function buildsService(app: Application, store: Service) {
  const renderBuilds = async (builds: readonly DatabaseRow[], pipeline: CachedPipeline) => {
    const [jobs, users] = await Promise.all([
      app.service('tables/jobs').find({
        query: { build_id: { $in: builds.map(({ id }) => id) }, retried: false, $sort: { position: 1 } },
        paginate: false,
      }),
      app
        .service('tables/users')
        .find({ query: { id: { $in: [...new Set(builds.map(({ creator_id }) => creator_id))] } }, paginate: false }),
    ]);
    const byBuild = groupBy(jobs, 'build_id');
    const byId = new Map(users.map((user) => [user.id, user]));
    const { organization, rendered } = pipeline;
    const slug = String(pipeline.row.slug);
    return builds.map((build) =>
      renderBuild(build, {
        organization,
        slug,
        jobs: byBuild.get(build.id) ?? [],
        creator: byId.get(build.creator_id),
        pipeline: rendered,
      }),
    );
  };
  return {
    async find(params: Params) {
      const pipeline = await pipelineFor(store, params);
      const {
        state,
        branch,
        page: pageText = '1',
      } = (params.query ?? {}) as Readonly<Record<string, string | undefined>>;
      const page = Number(pageText);
      const { sql, values } = whereConditions({ page, state, branch });
      const tables = app.service('tables/builds');
      const query = {
        pipeline_id: pipeline.id,
        ...(state && { state }),
        ...(branch && { branch }),
        $limit: perPage + 1,
        $skip: (page - 1) * perPage,
      };
      const [found, total] = await Promise.all([
        tables.find({ query, paginate: false, knex: newestFirst(tables.createQuery({ query })) }),
        store.lookups.total(countSql(sql), [pipeline.id, ...values]),
      ]);
      const path = `/v2/organizations/${pipeline.organization}/pipelines/${pipeline.row.slug}/builds`;
      params.link = linkHeader(
        path,
        new URLSearchParams(params.query as Record<string, string>),
        page,
        found.length > perPage,
        total,
      );
      return renderBuilds(found.slice(0, perPage), pipeline);
    },
    async get(number: string, params: Params) {
      const pipeline = await pipelineFor(store, params);
      const found = await app
        .service('tables/builds')
        .find({ query: { pipeline_id: pipeline.id, number: Number(number) }, paginate: false });
      return (await renderBuilds(found, pipeline))[0];
    },
    async create(input: NewBuild, params: Params) {
      const created = await store.create?.(await pipelineFor(store, params), input, params.caller as Caller);
      return JSON.parse(created ?? 'null');
    },
  };
}

/** Changes go past the services of the tables, in a transaction of Knex: Feathers has nothing of its own for them. */
const cancelService = (store: Service) => ({
  async update(_id: null, _data: unknown, params: Params) {
    const canceled = await store.cancel?.(
      await pipelineFor(store, params),
      Number(params.route?.number),
      params.caller as Caller,
    );
    return JSON.parse(canceled ?? 'null');
  },
});

function agentsService(app: Application, store: Service) {
  return {
    async find(params: Params) {
      const organization = params.route?.organization ?? '';
      const id = await store.lookups.organization(organization);
      const page = Number(params.query?.page ?? 1);
      const tables = app.service('tables/agents');
      const query = {
        organization_id: id,
        connection_state: 'connected',
        $limit: perPage + 1,
        $skip: (page - 1) * perPage,
      };
      const [found, total] = await Promise.all([
        tables.find({ query, paginate: false, knex: newestFirst(tables.createQuery({ query })) }),
        store.lookups.total(connectedAgentsSql, [id]),
      ]);
      const agents = found.slice(0, perPage);
      const [users, jobs] = await Promise.all([
        app
          .service('tables/users')
          .find({ query: { id: { $in: [...new Set(agents.map(({ creator_id }) => creator_id))] } }, paginate: false }),
        app.service('tables/jobs').find({
          query: { id: { $in: agents.map(({ job_id }) => job_id).filter((job) => job !== null) } },
          paginate: false,
        }),
      ]);
      const [user, job] = [users, jobs].map((rows) => new Map(rows.map((row) => [row.id, row])));
      params.link = linkHeader(
        `/v2/organizations/${organization}/agents`,
        new URLSearchParams(),
        page,
        found.length > perPage,
        total,
      );
      return agents.map((agent) =>
        renderAgent(agent, user?.get(agent.creator_id), job?.get(agent.job_id), organization),
      );
    },
  };
}
