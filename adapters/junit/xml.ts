import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { decodeAttribute } from './entity-references.js';

/** An element of a document. Text between elements is left out, since reports carry no results in it. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
}

/** The deepest nesting of elements that is accepted. Reports of the known tools are far less deep. */
const maxDepth = 100;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  ignoreDeclaration: true,
  ignorePiTags: true,
  // Entity expansion could turn a line into a gigabyte. `decodeAttribute` decodes what is allowed.
  processEntities: false,
  attributeValueProcessor: (_name, raw) => decodeAttribute(raw),
  tagValueProcessor: () => '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  jPath: false,
  // The parser counts depth from 0.
  maxNestedTags: maxDepth - 1,
});

/** Parses a document and returns its root element. Throws unless it is well-formed XML without a DOCTYPE. */
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

/** Rejects `<!` except as the start of a comment or CDATA section, whose content is skipped. */
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

/** Converts the parser's output with `preserveOrder`: `[{ name: children, ':@': attributes }, { '#text': … }]`. */
function toElements(nodes: unknown): Element[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node: Readonly<Record<string, unknown>>) => {
    const name = Object.keys(node).find((key) => key !== ':@');
    if (name === undefined || name === '#text') return [];
    const attributes = (node[':@'] ?? {}) as Element['attributes'];
    return [{ name, attributes, children: toElements(node[name]) }];
  });
}
