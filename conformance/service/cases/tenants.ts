import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Operation } from '../../../core/contract/operation.js';
import { operations } from '../../../core/operations/index.js';
import type { Case } from '../../case.js';
import { runs, seed } from '../../settings.js';
import { type Service, type ServiceHarness, withService } from '../service.js';
import { organizationFixture, together } from '../world.js';

const own = 'acme';
const other = 'rivals';

/** What stands in the place of each path parameter: values of both tenants, and of nobody. */
type Values = Readonly<Record<string, readonly string[]>>;

async function valuesOf(service: Service): Promise<Values> {
  const of = async (slug: string) => {
    const options = { token: service.tokens[`admin@${slug}.test`] ?? null };
    const agents = await service.send('GET', `/v2/organizations/${slug}/agents`, options);
    return { agents: agents.body.map((agent: { id: string }) => agent.id) as string[] };
  };
  const [mine, theirs] = await Promise.all([of(own), of(other)]);
  return {
    organization: [own, other, 'nobody'],
    pipeline: ['web', 'deploy', 'nothing'],
    build: ['1', '2', '99', 'x'],
    agent: [...mine.agents, ...theirs.agents, '0190a000-0000-7000-8000-000000000000', 'x'],
  };
}

const targetOf = (operation: Operation, values: Values) =>
  fc
    .tuple(
      fc.constantFrom(operation.path, ...(operation.alsoPaths ?? [])),
      fc.record(Object.fromEntries(Object.entries(values).map(([name, all]) => [name, fc.constantFrom(...all)]))),
      fc.constantFrom('', '?per_page=100', '?state=passed', '?include_retried_jobs=1'),
    )
    .map(([path, chosen, query]) => path.replace(/\{(\w+)\}/g, (_, name: string) => chosen[name] ?? name) + query);

/** Everything that the other organization's records say carries its slug; nothing of that may ever be answered. */
const isolation: Case<ServiceHarness> = {
  id: 'tenants.no-byte-of-another',
  cites: 'spec 5.2, decisions 2',
  run: (harness) =>
    withService(harness, together(organizationFixture(own), organizationFixture(other)), async (service) => {
      const values = await valuesOf(service);
      const ids = await idsOf(service, other);
      const reachable = operations.filter((operation) => operation.id !== 'accessToken.revoke');
      await fc.assert(
        fc.asyncProperty(
          fc
            .constantFrom(...reachable)
            .chain((operation) => fc.tuple(fc.constant(operation), targetOf(operation, values))),
          fc.constantFrom('admin', 'member', 'stopper'),
          async ([operation, target], who) => {
            const token = service.tokens[`${who}@${own}.test`] ?? null;
            const body = operation.method === 'POST' ? { commit: 'e', branch: 'main' } : undefined;
            const answer = await service.send(operation.method, target, { token, ...(body ? { body } : {}) });
            const said = answer.text.replace(`${operation.method} ${target.split('?')[0]}`, '');
            assert.ok(!said.includes(other), `${operation.method} ${target} tells of ${other}: ${said.slice(0, 300)}`);
            for (const id of ids)
              assert.ok(!said.includes(id), `${operation.method} ${target} shows ${id} of ${other}`);
            if (target.includes(`/organizations/${other}`)) {
              assert.equal(answer.status, 404);
              assert.deepEqual(answer.body, { message: 'No organization found' });
            }
          },
        ),
        { seed, numRuns: runs(300) },
      );
    }),
};

/** All ids that an admin of the organization can see. */
async function idsOf(service: Service, slug: string): Promise<string[]> {
  const options = { token: service.tokens[`admin@${slug}.test`] ?? null };
  const lists = ['builds?include_retried_jobs=true', 'agents'];
  const answers = await Promise.all(
    lists.map((list) => service.send('GET', `/v2/organizations/${slug}/${list}`, options)),
  );
  const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  return [...new Set(answers.flatMap((answer) => answer.text.match(uuids) ?? []))];
}

export const tenants = [isolation];
