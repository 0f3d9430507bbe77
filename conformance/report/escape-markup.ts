const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Characters that XML 1.0 does not allow even when escaped, and lone surrogates. */
const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Escapes text for an element or a quoted attribute of XML and HTML. Characters that are not allowed become `\u0000`. */
export const escapeMarkup = (text: string): string =>
  text
    .replaceAll(notInXml, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '')
    .replaceAll('\r', '&#13;');
