/**
 * The slug of a name: letters and digits in lower case without accents, with one `-` for everything between them. Undefined
 * for a name without a letter or digit (decisions 9, 12).
 */
export function slugOf(name: string): string | undefined {
  const plain = name.normalize('NFKD').replace(/\p{M}+/gu, '');
  const slug = plain
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? undefined : slug;
}
