import { serviceCases } from '../index.js';
import { casesFor, combinations, isAskedEverything, storageBackends } from './combination.js';
import { serviceTransports } from './transports.js';

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** What the README says of the combinations: how many cases each of them passes and skips, and why it skips them. */
export function combinationsTable(): string {
  const cells = storageBackends.map((backend) =>
    row(
      backend.name,
      ...combinations
        .filter((one) => one.backend === backend)
        .map(({ transport }) => {
          const { asked, skipped } = casesFor(transport);
          return `${asked.length} / ${skipped.length}`;
        }),
    ),
  );
  const asked = combinations.filter(isAskedEverything);
  const seamCases = serviceCases.filter(({ seam }) => seam !== undefined);
  return [
    row('Cases passed / skipped', ...serviceTransports.map(({ name }) => name)),
    row(...['', ...serviceTransports].map(() => '---')),
    ...cells,
    '',
    `Nightly every pair runs all of them (\`npm run test:all\`). \`npm test\` runs all on ${asked.map(({ name }) => name).join(', ')};`,
    `on the others it runs the ${seamCases.length} that concern the [seam](docs/conformance.md#every-storage-behind-every-transport) between`,
    'the two.',
    '',
    ...serviceTransports.flatMap(({ name, capabilities, reason }) => {
      const { skipped } = casesFor({ capabilities });
      if (skipped.length === 0) return [];
      return [`Skipped over ${name}: ${skipped.map(({ id }) => `\`${id}\``).join(', ')}, since`, `${reason}.`];
    }),
  ].join('\n');
}

const [begin, end] = ['<!-- combinations: made by the tests with MILLRACE_WRITE=1 -->', '<!-- end of combinations -->'];

/** A text with the table between its two marks. Throws if it does not have them. */
export function withTable(text: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`There is no ${begin} with ${end} behind it`);
  return `${text.slice(0, from + begin.length)}\n${combinationsTable()}\n${text.slice(to)}`;
}
