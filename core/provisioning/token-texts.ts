import { digestOf, formatToken, isWellFormed, makeToken, type TokenPrefix } from '../auth/token-format.js';
import type { ExistingRecords } from './existing-records.js';
import type { PlanDraft } from './plan-draft.js';

/** The shortest and the longest random part of a token (decisions 2). */
const [minSecretLength, maxSecretLength] = [30, 249];

/** Determines the texts of tokens: those of the document if they are well-formed, new ones for tokens without a text. */
export function makeTokenTexts(prefix: TokenPrefix, draft: PlanDraft, existing: ExistingRecords) {
  const digests = new Set<string>();
  return (explicitToken: string | undefined, path: string): { readonly token: string; readonly digest: string } => {
    const token =
      explicitToken ?? makeToken(prefix, { uuids: () => [], random: () => 0, secret: draft.idSource.secret });
    const digest = digestOf(token);
    if (!isWellFormed(prefix, token)) {
      draft.problems.add(
        `${path}.token is not a well-formed token: made from it, ${suggestToken(prefix, token)} would be one`,
      );
    } else if (digests.has(digest)) draft.problems.add(`${path}.token is the token of another record of the document`);
    else if (existing.digests.has(digest)) draft.problems.add(`${path}.token is in use already`);
    digests.add(digest);
    return { token, digest };
  };
}

/** A well-formed token similar to the text, as a suggestion for the author of the document. */
function suggestToken(prefix: TokenPrefix, text: string): string {
  const secret = text.replace(/^[a-z]+_/, '').replace(/[^0-9A-Za-z]/g, '');
  return formatToken(prefix, secret.slice(0, maxSecretLength).padEnd(minSecretLength, '0'));
}
