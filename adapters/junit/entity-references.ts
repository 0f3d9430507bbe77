const predefinedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Decodes an attribute value: the five predefined entities and numeric references, once. Other references stay unchanged. Some
 * tools write terminal control characters as references; XML 1.0 forbids that, but the report is still accepted. Code points
 * that a text cannot contain become U+FFFD.
 */
export const decodeAttribute = (raw: string): string =>
  // Literal line breaks and tabs count as spaces in attributes (XML 1.0, 3.3.3).
  raw.replace(/[\t\n\r]/g, ' ').replace(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));/g, (reference, decimal, hex, name) => {
    if (name !== undefined)
      return Object.hasOwn(predefinedEntities, name) ? (predefinedEntities[name] ?? reference) : reference;
    return toCharacter(decimal === undefined ? Number.parseInt(hex, 16) : Number.parseInt(decimal, 10));
  });

function toCharacter(code: number): string {
  const isText = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isText ? String.fromCodePoint(code) : '\ufffd';
}
