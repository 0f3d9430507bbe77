import { type Report, type Result, replayLine } from '../runner/result.js';

/** The details of a fault, the most useful first. All report formats show the same details. */
export function failureDetails(report: Report, result: Result): (readonly [label: string, text: string])[] {
  const { fault } = result;
  if (fault === undefined) return [];
  const { message, wanted, got, counterexample, tried, stack } = fault;
  const found = tried === undefined ? '' : ` (run ${tried.runs}, shrunk ${tried.shrinks}×)`;
  return [
    ['message', message] as const,
    ...(wanted === undefined ? [] : [['wanted', wanted] as const]),
    ...(got === undefined ? [] : [['got', got] as const]),
    ...(counterexample === undefined ? [] : [[`with${found}`, counterexample] as const]),
    ...(stack === undefined ? [] : [['at', stack] as const]),
    ['replay', replayLine(report, result)] as const,
  ];
}
