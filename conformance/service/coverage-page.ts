import type { Operation } from '../../core/operations/contract/operation.js';
import { statusesOf } from '../../core/operations/contract/statuses.js';
import type { Case } from '../case.js';
import { clauseCoverage, matchesPattern } from './clause-coverage.js';
import { isUnreachable } from './coverage.js';
import { endpoints } from './endpoints.js';
import { resources } from './resource-fields.js';
import type { ServiceHarness } from './service.js';

/** Cases that no clause names, and names that are no case's; nothing if all is well. */
export function coverageErrors(cases: readonly Case<ServiceHarness>[]): string[] {
  const patterns = [...new Set(clauseCoverage.flatMap(([, , ...all]) => all))];
  return [
    ...cases
      .filter(({ id }) => !patterns.some((one) => matchesPattern(one, id)))
      .map(({ id }) => `${id} proves no clause`),
    ...patterns.filter((one) => !cases.some(({ id }) => matchesPattern(one, id))).map((one) => `${one} is no case`),
  ];
}

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly string[]): string[] => [
  row(...head),
  row(...head.map(() => '---')),
  ...rows,
];

/**
 * The page that says what the suite covers. All that stands in it holds, or the suite fails: declared statuses that no case
 * brings about, fields that no answer shows and cases that are not there are errors.
 */
export function coveragePage(operations: readonly Operation[], cases: readonly Case<ServiceHarness>[]): string {
  const columns = [...new Set(operations.flatMap(statusesOf))].sort((a, b) => a - b);
  const cell = (operation: Operation, status: number) =>
    !statusesOf(operation).includes(status) ? '' : isUnreachable(operation, status) ? '–' : '✓';
  const count = (patterns: readonly string[]) =>
    cases.filter(({ id }) => patterns.some((pattern) => matchesPattern(pattern, id))).length;
  return `${[
    '# What the suite covers',
    '',
    'Made by the tests with `MILLRACE_WRITE=1`. They fail when it is out of date, and, once all service cases have run in memory, when a',
    'declared status was never answered, an answer had an undeclared one, or a field of the specification was never seen.',
    '',
    '## Statuses of the operations',
    '✓: declared, and answered in a case. –: declared, but there is no way to bring it about: the operation asks for nothing that could',
    'break.',
    `The first ${endpoints.length} are those of the specification; 404 and 405 of paths and methods without an operation are tested apart.`,
    '',
    ...table(
      ['Operation', 'Request', ...columns.map(String)],
      [
        ...[...operations]
          .sort((a, b) => specificationOrder(a) - specificationOrder(b))
          .map((operation) =>
            row(
              operation.id,
              `\`${operation.method} ${operation.path}\``,
              ...columns.map((status) => cell(operation, status)),
            ),
          ),
      ],
    ),
    '',
    '## Fields',
    'Each was seen with a value of its kind, and as null where the specification allows it.',
    '',
    ...table(
      ['Clause', 'Resource', 'Fields'],
      resources.map(({ clause, name, fields }) => row(clause, name, Object.keys(fields).join(', '))),
    ),
    '',
    '## Clauses',
    'What the specification asks for, and the cases that prove it. `*` stands for all cases of such a name.',
    '',
    ...table(
      ['Clause', 'What', 'Cases', 'How many'],
      clauseCoverage.map(([clause, says, ...all]) =>
        row(clause, says, all.map((one) => `\`${one}\``).join(', '), String(count(all))),
      ),
    ),
  ].join('\n')}\n`;
}

/** The place of an operation: those of the specification in its order, then ours. */
function specificationOrder({ id }: Operation): number {
  const index = endpoints.findIndex(([known]) => known === id);
  return index < 0 ? endpoints.length : index;
}
