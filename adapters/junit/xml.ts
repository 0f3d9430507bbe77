import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { decodeAttribute } from './entity-references.js';

/** An element of a document: what is written between elements is left out, since no report tells anything there. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
}

/** Elements within elements: nobody's report is deeper. */
const maxDepth = 100;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  ignoreDeclaration: true,
  ignorePiTags: true,
  // Entities could make a gigabyte out of a line. What may be decoded is decoded in `attributeValue`.
  processEntities: false,
  attributeValueProcessor: (_name, written) => decodeAttribute(written),
  tagValueProcessor: () => '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  jPath: false,
  // The depth of the first that is refused, counted from 0.
  maxNestedTags: maxDepth - 1,
});

/** The root element. Anything but well-formed XML without a document type declaration is an error. */
export function parseXml(text: string): Element {
  const document = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (document.trim() === '') throw new Error('The document is empty');
  if (!document.trimStart().startsWith('<')) throw malformedXmlError('it does not begin with an element');
  rejectDeclarations(document);
  const checked = XMLValidator.validate(document);
  if (checked !== true) throw validationError(checked.err);
  const root = toElements(parseNodes(document)).at(0);
  if (root === undefined) throw malformedXmlError('it has no element');
  return root;
}

function parseNodes(document: string): unknown {
  try {
    return parser.parse(document);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (message.startsWith('Maximum nested')) throw new Error(`The elements are nested more than ${maxDepth} deep`);
    throw malformedXmlError(message);
  }
}

/** Only comments and CDATA sections may begin with `<!`; what stands inside them is nothing but text. */
function rejectDeclarations(document: string): void {
  for (let at = document.indexOf('<!'); at >= 0; at = document.indexOf('<!', at)) {
    const end = document.startsWith('<!--', at) ? '-->' : document.startsWith('<![CDATA[', at) ? ']]>' : undefined;
    if (end === undefined) {
      const isDoctype = /^<!doctype/i.test(document.slice(at, at + 9));
      throw isDoctype
        ? new Error('The document has a DOCTYPE, which is not accepted')
        : malformedXmlError('it has a stray "<!"');
    }
    const close = document.indexOf(end, at + 4);
    if (close < 0) throw new Error('The document ends too early: inside a comment or a CDATA section');
    at = close + end.length;
  }
}

function validationError({ msg, line, col }: { msg: string; line: number; col: number }): Error {
  if (/^Unclosed tag|^Invalid '\[|have open quote/.test(msg)) {
    return new Error(`The document ends too early: ${msg.startsWith('Invalid') ? 'several elements are open' : msg}`);
  }
  return malformedXmlError(`${msg.replace(/\.$/, '')} (line ${line}, column ${col})`);
}

const malformedXmlError = (why: string) => new Error(`The document is not well-formed XML: ${why}`);

/** Elements out of what the parser makes with `preserveOrder`: `[{ name: children, ':@': attributes }, { '#text': … }]`. */
function toElements(nodes: unknown): Element[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node: Readonly<Record<string, unknown>>) => {
    const name = Object.keys(node).find((key) => key !== ':@');
    if (name === undefined || name === '#text') return [];
    const attributes = (node[':@'] ?? {}) as Element['attributes'];
    return [{ name, attributes, children: toElements(node[name]) }];
  });
}
