import type { Step } from './migration.js';

/** Steps as a migration file spells them, one a line: what to paste into the next migration. */
export const drafted = (steps: readonly Step[]): string => steps.map((step) => `    ${spelled(step)},`).join('\n');

function spelled(step: Step): string {
  if ('create' in step) {
    const { columns, key } = step.table;
    const ofKey = key.length === 1 && key[0] === 'id' ? '' : `, [${key.map((name) => `'${name}'`).join(', ')}]`;
    return `table('${step.create}', \`${wrapped(Object.entries(columns).map((column) => column.join(' ')))}\`${ofKey})`;
  }
  if ('add' in step) return `column('${step.to}', '${step.add}', '${step.type}')`;
  if ('dropIndex' in step) return `{ dropIndex: '${step.dropIndex}' }`;
  if ('tally' in step) {
    const { on, owner, column, per } = step.as;
    return `tally('${step.tally}', '${on}', '${owner}', '${column}', '${per}')`;
  }
  const { on, columns, unique } = step.as;
  return `${unique ? 'unique' : 'index'}('${step.index}', '${on}', '${columns.join(', ')}')`;
}

/** Lines of less than 120 characters. */
function wrapped(parts: readonly string[]): string {
  let text = '';
  let line = '\n      ';
  for (const [place, part] of parts.entries()) {
    const next = place === parts.length - 1 ? part : `${part}, `;
    if (line.length + next.length > 115) {
      text += line.trimEnd();
      line = '\n      ';
    }
    line += next;
  }
  return text + line;
}
