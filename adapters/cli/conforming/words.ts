import type { Choices } from './choices.js';

/** What is tested, for the head of a report. */
export function subjectOf({ levels, storage, transport, running }: Choices): string {
  if (running !== undefined) {
    const { url, organization, readOnly } = running;
    return `${url}, organization ${organization}${readOnly ? ', read only' : ''}`;
  }
  return [
    ...(levels.some((name) => name !== 'transport') ? [`storage ${withoutPassword(storage)}`] : []),
    ...(transport === undefined ? [] : [`transport ${transport}`]),
  ].join(', ');
}

/** The command that does the same again, for the lines that replay a failure. Secrets are not in it: a token is taken from
 * MILLRACE_TOKEN, a password has to be put back. */
export function commandOf({ levels, storage, transport, running, runs }: Choices): string {
  const words = ['millrace', 'conformance'];
  if (running !== undefined) {
    const { url, organization, pipeline, readOnly } = running;
    words.push('--url', quoted(url), '--organization', quoted(organization));
    if (pipeline !== undefined) words.push('--pipeline', quoted(pipeline));
    if (readOnly) words.push('--read-only');
  } else if (levels.some((name) => name !== 'transport')) words.push('--storage', quoted(withoutPassword(storage)));
  if (transport !== undefined) words.push('--transport', quoted(transport));
  if (runs !== undefined) words.push('--runs', String(runs));
  return words.join(' ');
}

const withoutPassword = (text: string): string => text.replace(/^(postgres(?:ql)?:\/\/[^:@/]*):[^@]*@/, '$1:***@');
const quoted = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
