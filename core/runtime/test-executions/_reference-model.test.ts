import type { ExecutionInput } from './execution-input.js';

/** What has to be known of a test after these executions, told from all of them at once. */
export interface ExpectedTest {
  readonly scope: string;
  readonly name: string;
  readonly flaky: boolean;
  readonly instances: number;
  readonly latest_occurrence_at: string | null;
  readonly most_recent_instance_at: string;
  readonly location: string;
  readonly branches: readonly string[];
}

/** The whole of decisions 10 by plain counting: slow, and with nothing in common with how it is detected. */
export function expectedTests(executions: readonly ExecutionInput[]): ExpectedTest[] {
  const distinct = (values: readonly string[]) => [...new Set(values)].sort();
  return distinct(executions.map(({ scope, name }) => JSON.stringify([scope, name]))).map((key) => {
    const executionsOfTest = executions.filter(({ scope, name }) => JSON.stringify([scope, name]) === key);
    const commits = distinct(executionsOfTest.map(({ commit }) => commit)).map((commit) => {
      const of = executionsOfTest.filter((one) => one.commit === commit && one.result !== 'skipped');
      const first = (result: string) => distinct(of.filter((one) => one.result === result).map(({ at = '' }) => at))[0];
      const [passed, failed] = [first('passed'), first('failed')];
      return { of, both: passed && failed ? distinct([passed, failed]).at(-1) : undefined };
    });
    const flakes = commits.filter(({ both }) => both !== undefined);
    const last = executionsOfTest.reduce((latest, one) => ((one.at ?? '') >= (latest.at ?? '') ? one : latest));
    return {
      scope: last.scope ?? '',
      name: last.name,
      flaky: flakes.length > 0,
      instances: flakes.length,
      latest_occurrence_at: distinct(flakes.flatMap(({ both = '' }) => both)).at(-1) ?? null,
      most_recent_instance_at: last.at ?? '',
      location: last.location ?? '',
      branches: distinct(flakes.flatMap(({ of }) => of.map(({ branch }) => branch))),
    };
  });
}
