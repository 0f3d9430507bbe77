const predefinedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The value of an attribute as it is written: the five predefined entities and numeric references are decoded, once; any other
 * reference stays as it stands. Tools write control characters of a terminal as references, which XML 1.0 forbids, but that is
 * no reason to refuse a report; what no text can hold becomes U+FFFD.
 */
export const decodeAttribute = (raw: string): string =>
  // Line breaks and tabs that are written as such count as spaces in attributes (XML 1.0, 3.3.3).
  raw.replace(/[\t\n\r]/g, ' ').replace(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));/g, (reference, decimal, hex, name) => {
    if (name !== undefined)
      return Object.hasOwn(predefinedEntities, name) ? (predefinedEntities[name] ?? reference) : reference;
    return toCharacter(decimal === undefined ? Number.parseInt(hex, 16) : Number.parseInt(decimal, 10));
  });

function toCharacter(code: number): string {
  const isText = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isText ? String.fromCodePoint(code) : '\ufffd';
}
