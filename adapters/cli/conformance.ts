import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Level, Report } from '../../conformance/runner/index.js';
import { command } from './command.js';
import { interruptSignal } from './conformance/interrupt-signal.js';
import { replayCommand, targetLabel } from './conformance/labels.js';
import { type ConformanceSuite, loadConformanceSuite } from './conformance/load-suite.js';
import {
  conformanceOptions,
  type ReportFile,
  type ResolvedConformanceOptions,
  resolveConformanceOptions,
} from './conformance/options.js';
import { createProgressBar } from './conformance/progress-bar.js';
import { createStorageTarget, type StorageTarget } from './conformance/storage-target.js';
import { withTimeout } from './conformance/timeout.js';
import { createTransportTarget } from './conformance/transport-target.js';
import { UsageError } from './usage-error.js';

export const conformanceCommand = command(
  {
    name: 'conformance',
    summary: 'Runs the conformance suite against adapters or a running service.',
    operands: [],
    options: conformanceOptions,
    notes: [
      'The exit code is 0 on success; 1 if a case failed, was in error or was not reached, or if no case passed;',
      '2 for an invalid command line. Ctrl-C ends the run and reports the finished cases.',
    ].join('\n'),
  },
  async (values) => {
    const options = resolveConformanceOptions(values);
    const suite = await loadConformanceSuite();
    const hasStorage = options.running === undefined && options.levels.some((name) => name !== 'transport');
    const storageTarget = hasStorage ? await createStorageTarget(options.storage) : undefined;
    try {
      const report = await runCases(suite, options, await createLevels(suite, options, storageTarget));
      process.stdout.write(suite.terminalReport(report));
      for (const file of options.reports) await writeReport(suite, report, file);
      return suite.isGood(report) ? 0 : 1;
    } finally {
      await storageTarget?.close();
    }
  },
);

async function createLevels(
  suite: ConformanceSuite,
  options: ResolvedConformanceOptions,
  storageTarget: StorageTarget | undefined,
): Promise<Level[]> {
  const { levels, transport, running } = options;
  if (running !== undefined) {
    const { url, pipeline, ...rest } = running;
    const address = suite.addressOf(url);
    if (address === undefined)
      throw new UsageError(`--url must be an http or https URL without a user and a query, not ${JSON.stringify(url)}`);
    const serviceUnderTest = { ...rest, address, ...(pipeline === undefined ? {} : { pipeline }) };
    // The cases that can run come first in the report.
    return [
      ...(levels.includes('black-box') ? [suite.blackBoxLevel(serviceUnderTest)] : []),
      ...(levels.includes('service') ? [suite.skippedServiceLevel] : []),
    ];
  }
  const transportTarget = transport === undefined ? undefined : await createTransportTarget(transport, suite);
  const wire = transportTarget && {
    wire: suite.wireOverTransport(transportTarget.harness),
    capabilities: transportTarget.serviceCapabilities,
  };
  return levels.flatMap((name) => {
    if (name === 'transport')
      return transportTarget ? [suite.transportLevel(transportTarget.harness, transportTarget.capabilities)] : [];
    if (storageTarget === undefined) return [];
    return [
      name === 'storage'
        ? suite.storageLevel(storageTarget.storageUnderTest)
        : suite.serviceLevel(storageTarget.storageUnderTest, wire),
    ];
  });
}

async function runCases(
  suite: ConformanceSuite,
  options: ResolvedConformanceOptions,
  levels: readonly Level[],
): Promise<Report> {
  const only = caseFilter(
    options,
    suite.selectCases({ levels }).map(({ id }) => id),
  );
  const cases = suite.selectCases({ levels, only }).length;
  const replay = options.replay === undefined ? undefined : suite.parseReplay(options.replay);
  if (options.replay !== undefined && replay === undefined) {
    throw new UsageError(`--replay must be SEED|PATH as in a report, not ${JSON.stringify(options.replay)}`);
  }
  if (replay !== undefined && cases > 1)
    throw new UsageError(`--replay needs exactly one case; ${cases} begin with ${options.case}`);
  const progressBar = await createProgressBar(process.stderr, cases);
  const interrupt = interruptSignal();
  try {
    return await suite.runSuite({
      levels,
      subject: targetLabel(options),
      command: replayCommand(options),
      seed: options.seed ?? suite.defaultSeed,
      runs: options.runs ?? 1,
      only,
      ...(replay === undefined ? {} : { replay }),
      now: () => performance.now(),
      withTimeout: withTimeout,
      signal: interrupt.signal,
      onResult: (result, done, total) => progressBar.update(result, done, total),
    });
  } finally {
    interrupt.dispose();
    progressBar.stop();
  }
}

/** A complete case id selects that case only, even if other ids begin with it. */
function caseFilter({ case: caseId }: ResolvedConformanceOptions, ids: readonly string[]): (id: string) => boolean {
  if (caseId === undefined) return () => true;
  if (ids.includes(caseId)) return (id) => id === caseId;
  if (!ids.some((id) => id.startsWith(caseId))) throw new UsageError(`No case id is ${caseId} or begins with it`);
  return (id) => id.startsWith(caseId);
}

async function writeReport(suite: ConformanceSuite, report: Report, { kind, file }: ReportFile): Promise<void> {
  const texts = { json: suite.jsonReport, junit: suite.junitReport, html: suite.htmlReport };
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, texts[kind](report));
  } catch (error) {
    throw new UsageError(`Cannot write the report ${file}: ${(error as Error).message}`);
  }
}
