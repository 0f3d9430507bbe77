import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Level, Report } from '../../conformance/runner/index.js';
import { command } from './command.js';
import { Complaint } from './complaint.js';
import { barOn } from './conforming/bar.js';
import { type Choices, choicesOf, conformanceOptions, type ReportFile } from './conforming/choices.js';
import { interruptible } from './conforming/interruptible.js';
import { patient } from './conforming/patience.js';
import { type StorageSubject, storageSubject } from './conforming/subject.js';
import { loadSuite, type Suite } from './conforming/suite.js';
import { transportSubject } from './conforming/transports.js';
import { commandOf, subjectOf } from './conforming/words.js';

export const conformanceCommand = command(
  {
    name: 'conformance',
    summary: 'Tests adapters, or a service that runs, against everything that Millrace asks of them.',
    operands: [],
    options: conformanceOptions,
    notes: [
      'The exit code is 0 when all is well; 1 when a case failed, was in error or was not reached, or when none',
      'passed; 2 when the command line is wrong. Ctrl-C ends the run and reports what was reached.',
    ].join('\n'),
  },
  async (given) => {
    const choices = choicesOf(given);
    const suite = await loadSuite();
    const hasStorage = choices.running === undefined && choices.levels.some((name) => name !== 'transport');
    const subject = hasStorage ? await storageSubject(choices.storage) : undefined;
    try {
      const report = await carriedOut(suite, choices, await levelsOf(suite, choices, subject));
      process.stdout.write(suite.terminalReport(report));
      for (const file of choices.reports) await written(suite, report, file);
      return suite.isGood(report) ? 0 : 1;
    } finally {
      await subject?.close();
    }
  },
);

async function levelsOf(suite: Suite, choices: Choices, subject: StorageSubject | undefined): Promise<Level[]> {
  const { levels, transport, running } = choices;
  if (running !== undefined) {
    const { url, pipeline, ...rest } = running;
    const address = suite.addressOf(url);
    if (address === undefined)
      throw new Complaint(`--url must be an http or https URL without a user and a query, not ${JSON.stringify(url)}`);
    const under = { ...rest, address, ...(pipeline === undefined ? {} : { pipeline }) };
    // What can be tried comes first: what it has to say matters most.
    return [
      ...(levels.includes('black-box') ? [suite.blackBoxLevel(under)] : []),
      ...(levels.includes('service') ? [suite.outOfReachLevel] : []),
    ];
  }
  const through = transport === undefined ? undefined : await transportSubject(transport, suite);
  const wire = through && { wire: suite.throughTransport(through.harness), claims: through.serviceClaims };
  return levels.flatMap((name) => {
    if (name === 'transport') return through ? [suite.transportLevel(through.harness, through.claims)] : [];
    if (subject === undefined) return [];
    return [name === 'storage' ? suite.storageLevel(subject.under) : suite.serviceLevel(subject.under, wire)];
  });
}

async function carriedOut(suite: Suite, choices: Choices, levels: readonly Level[]): Promise<Report> {
  const only = onlyOf(
    choices,
    suite.chosen({ levels }).map(({ id }) => id),
  );
  const cases = suite.chosen({ levels, only }).length;
  const replay = choices.replay === undefined ? undefined : suite.readReplay(choices.replay);
  if (choices.replay !== undefined && replay === undefined) {
    throw new Complaint(`--replay must be SEED|PATH as a report has it, not ${JSON.stringify(choices.replay)}`);
  }
  if (replay !== undefined && cases > 1)
    throw new Complaint(`--replay is for one case; ${cases} begin with ${choices.case}`);
  const bar = await barOn(process.stderr, cases);
  const interrupted = interruptible();
  try {
    return await suite.runSuite({
      levels,
      subject: subjectOf(choices),
      command: commandOf(choices),
      seed: choices.seed ?? suite.defaultSeed,
      runs: choices.runs ?? 1,
      only,
      ...(replay === undefined ? {} : { replay }),
      now: () => performance.now(),
      patience: patient,
      signal: interrupted.signal,
      onResult: (result, done, total) => bar.at(result, done, total),
    });
  } finally {
    interrupted.over();
    bar.end();
  }
}

/** A whole id chooses that case alone, even where others begin with it. */
function onlyOf({ case: wanted }: Choices, ids: readonly string[]): (id: string) => boolean {
  if (wanted === undefined) return () => true;
  if (ids.includes(wanted)) return (id) => id === wanted;
  if (!ids.some((id) => id.startsWith(wanted))) throw new Complaint(`No case is called ${wanted}, or begins so`);
  return (id) => id.startsWith(wanted);
}

async function written(suite: Suite, report: Report, { kind, file }: ReportFile): Promise<void> {
  const texts = { json: suite.jsonReport, junit: suite.junitReport, html: suite.htmlReport };
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, texts[kind](report));
  } catch (error) {
    throw new Complaint(`Cannot write the report ${file}: ${(error as Error).message}`);
  }
}
