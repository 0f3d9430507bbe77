/**
 * Whether a branch filter includes a branch. A filter has patterns separated by spaces; `*` matches any characters, and a leading
 * `!` excludes. An empty filter includes everything. A filter with only `!` patterns includes the rest (decisions 7).
 */
export function branchAllowed(filter: string | null, branch: string): boolean {
  const patterns = patternsOf(filter);
  const excluding = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const including = patterns.filter((pattern) => !pattern.startsWith('!'));
  if (excluding.some((pattern) => matches(pattern, branch))) return false;
  return including.length === 0 || including.some((pattern) => matches(pattern, branch));
}

/** Whether a filter excludes every possible branch. */
export const excludesAll = (filter: string | null): boolean =>
  patternsOf(filter).some((pattern) => /^!\*+$/.test(pattern));

const patternsOf = (filter: string | null): string[] => (filter ?? '').split(/\s+/).filter((pattern) => pattern !== '');

/** Matches the parts between `*` from left to right, without backtracking, so that no pattern is slow. */
function matches(pattern: string, branch: string): boolean {
  const [head = '', ...parts] = pattern.split('*');
  if (parts.length === 0) return branch === head;
  const tail = parts.pop() ?? '';
  if (!branch.startsWith(head) || !branch.endsWith(tail) || branch.length < head.length + tail.length) return false;
  let from = head.length;
  const end = branch.length - tail.length;
  for (const part of parts) {
    const found = branch.indexOf(part, from);
    if (found < 0 || found + part.length > end) return false;
    from = found + part.length;
  }
  return true;
}
