import type { MigrationStep } from './migration.js';

/** Steps as a migration file spells them, one a line: what to paste into the next migration. */
export const draftSteps = (steps: readonly MigrationStep[]): string =>
  steps.map((step) => `    ${stepSource(step)},`).join('\n');

function stepSource(step: MigrationStep): string {
  if ('create' in step) {
    const { columns, key } = step.table;
    const keyArgument = key.length === 1 && key[0] === 'id' ? '' : `, [${key.map((name) => `'${name}'`).join(', ')}]`;
    return `table('${step.create}', \`${wrapLines(Object.entries(columns).map((column) => column.join(' ')))}\`${keyArgument})`;
  }
  if ('add' in step) return `column('${step.to}', '${step.add}', '${step.type}')`;
  if ('dropIndex' in step) return `{ dropIndex: '${step.dropIndex}' }`;
  if ('counter' in step) {
    const { on, owner, column, bucket } = step.as;
    return `counter('${step.counter}', '${on}', '${owner}', '${column}', '${bucket}')`;
  }
  const { on, columns, unique } = step.as;
  return `${unique ? 'unique' : 'index'}('${step.index}', '${on}', '${columns.join(', ')}')`;
}

/** Lines of less than 120 characters. */
function wrapLines(parts: readonly string[]): string {
  let text = '';
  let line = '\n      ';
  for (const [index, part] of parts.entries()) {
    const next = index === parts.length - 1 ? part : `${part}, `;
    if (line.length + next.length > 115) {
      text += line.trimEnd();
      line = '\n      ';
    }
    line += next;
  }
  return text + line;
}
