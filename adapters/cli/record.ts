import { command, type Given, type Options } from './command.js';
import { Complaint } from './complaint.js';
import { storageOption } from './storage.js';
import { withApi } from './with-api.js';

const options = {
  storage: storageOption,
  organization: { type: 'string', value: 'SLUG', help: 'The organization that the suite belongs to' },
  suite: { type: 'string', value: 'SLUG', help: 'The suite that the tests belong to' },
  commit: { type: 'string', value: 'SHA', help: 'The commit that was tested' },
  branch: { type: 'string', value: 'NAME', help: 'The branch that it was tested on' },
  format: { type: 'string', value: 'FORMAT', help: 'junit if absent, or json' },
} as const satisfies Options;

/** Records reports of test runs. Nothing is recorded unless every file can be read. */
export const recordCommand = command(
  {
    name: 'tests record',
    summary: 'Records the test executions in some report files, and tells which tests have turned out to be flaky.',
    operands: ['FILE…'],
    options,
  },
  async (given, paths) => {
    const { formats, readFiles } = await import('../junit/index.js');
    const format = formats.find((known) => known === (given.format ?? 'junit'));
    if (format === undefined) throw new Complaint(`--format must be one of ${formats.join(', ')}, not ${given.format}`);
    const target = { organization: needed(given, 'organization'), suite: needed(given, 'suite') };
    const run = { commit: needed(given, 'commit'), branch: needed(given, 'branch') };
    const { executions, problems } = await readFiles(paths, format, run);
    if (problems.length > 0) throw new Complaint(problems.join('; '));
    const recorded = await withApi(given.storage, (api) => api.host.tests.record({ ...target, executions }));
    process.stdout.write(
      `${recorded.executions} executions recorded, ${recorded.flaky.length} tests seen to be flaky\n`,
    );
  },
);

function needed(given: Given<typeof options>, option: keyof typeof options): string {
  const value = given[option];
  if (value === undefined) throw new Complaint(`Option --${option} is missing`);
  return value;
}
