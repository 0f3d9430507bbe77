const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Characters that XML 1.0 cannot hold, not even escaped, and halves of characters. */
const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Text for an element or a quoted attribute of XML and HTML; what cannot stand there is written as `\u0000`. */
export const escapeMarkup = (text: string): string =>
  text
    .replaceAll(notInXml, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '')
    .replaceAll('\r', '&#13;');
