import { command, type Options, type OptionValues } from './command.js';
import { storageOption } from './storage.js';
import { UsageError } from './usage-error.js';
import { withApi } from './with-api.js';

const recordOptions = {
  storage: storageOption,
  organization: { type: 'string', value: 'SLUG', help: 'The organization of the suite' },
  suite: { type: 'string', value: 'SLUG', help: 'The suite of the tests' },
  commit: { type: 'string', value: 'SHA', help: 'The tested commit' },
  branch: { type: 'string', value: 'NAME', help: 'The branch of the test run' },
  format: { type: 'string', value: 'FORMAT', help: 'junit or json; default: junit' },
} as const satisfies Options;

/** Records reports of test runs. Records nothing if any file is invalid. */
export const recordCommand = command(
  {
    name: 'tests record',
    summary: 'Records the test executions of report files, and prints how many tests are newly flaky.',
    operands: ['FILE…'],
    options: recordOptions,
  },
  async (values, paths) => {
    const { formats, readFiles } = await import('../junit/index.js');
    const format = formats.find((known) => known === (values.format ?? 'junit'));
    if (format === undefined)
      throw new UsageError(`--format must be one of ${formats.join(', ')}, not ${values.format}`);
    const target = { organization: requiredOption(values, 'organization'), suite: requiredOption(values, 'suite') };
    const run = { commit: requiredOption(values, 'commit'), branch: requiredOption(values, 'branch') };
    const { executions, problems } = await readFiles(paths, format, run);
    if (problems.length > 0) throw new UsageError(problems.join('; '));
    const recorded = await withApi(values.storage, (api) => api.runtime.tests.record({ ...target, executions }));
    process.stdout.write(`${recorded.executions} executions recorded, ${recorded.flaky.length} tests found flaky\n`);
  },
);

function requiredOption(values: OptionValues<typeof recordOptions>, option: keyof typeof recordOptions): string {
  const value = values[option];
  if (value === undefined) throw new UsageError(`Option --${option} is missing`);
  return value;
}
