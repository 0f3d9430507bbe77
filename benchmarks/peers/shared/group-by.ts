/** Groups rows by the value of one column, and keeps their order. */
export function groupBy<T extends Readonly<Record<string, unknown>>>(
  rows: readonly T[],
  column: keyof T,
): Map<unknown, T[]> {
  const groups = new Map<unknown, T[]>();
  for (const row of rows) {
    const group = groups.get(row[column]);
    if (group === undefined) groups.set(row[column], [row]);
    else group.push(row);
  }
  return groups;
}
