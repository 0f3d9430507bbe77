import type { ResolvedConformanceOptions } from './options.js';

/** The name of what is tested, for the head of a report. */
export function targetLabel({ levels, storage, transport, running }: ResolvedConformanceOptions): string {
  if (running !== undefined) {
    const { url, organization, readOnly } = running;
    return `${url}, organization ${organization}${readOnly ? ', read only' : ''}`;
  }
  return [
    ...(levels.some((name) => name !== 'transport') ? [`storage ${redactPassword(storage)}`] : []),
    ...(transport === undefined ? [] : [`transport ${transport}`]),
  ].join(', ');
}

/**
 * The command that repeats the run, for the lines that replay a failure. It contains no secrets: the token comes from
 * MILLRACE_TOKEN, a password has to be inserted again.
 */
export function replayCommand({ levels, storage, transport, running, runs }: ResolvedConformanceOptions): string {
  const words = ['millrace', 'conformance'];
  if (running !== undefined) {
    const { url, organization, pipeline, readOnly } = running;
    words.push('--url', shellQuote(url), '--organization', shellQuote(organization));
    if (pipeline !== undefined) words.push('--pipeline', shellQuote(pipeline));
    if (readOnly) words.push('--read-only');
  } else if (levels.some((name) => name !== 'transport')) words.push('--storage', shellQuote(redactPassword(storage)));
  if (transport !== undefined) words.push('--transport', shellQuote(transport));
  if (runs !== undefined) words.push('--runs', String(runs));
  return words.join(' ');
}

const redactPassword = (text: string): string => text.replace(/^(postgres(?:ql)?:\/\/[^:@/]*):[^@]*@/, '$1:***@');
const shellQuote = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
