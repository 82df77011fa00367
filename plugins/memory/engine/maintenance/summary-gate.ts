/**
 * Checks without a model that a summary says what its originals say, and nothing else. Refuses when in doubt: an
 * original with different wording is kept, and nothing is lost.
 */
import { statementsOf, stemsOf, type Statement } from '../evidence/statement.js';
import type { EntryDocument } from '../entries/document.js';

/** An entry that a summary may replace. */
export type Original = Omit<EntryDocument, 'vector'>;

export interface Refusal {
  readonly original: Original;
  /** A stable code, a colon and what is missing: `number_missing: 42`. */
  readonly reason: string;
}

export interface Judgement {
  /** The originals that the summary may stand for. */
  readonly said: readonly Original[];
  readonly refused: readonly Refusal[];
}

/** Minimum share of a sentence's terms in the summary. */
const LEAST_SAID = 0.5;

export function judge(summary: string, originals: readonly Original[]): Judgement {
  const read = originals.map((original) => ({ original, statements: statementsOf(original.content) }));
  const written = statementsOf(summary);
  const invented = inventedBy(
    written,
    read.flatMap(({ statements }) => statements),
  );
  if (invented !== undefined)
    return { said: [], refused: originals.map((original) => ({ original, reason: invented })) };
  const stems = stemsOf(summary);
  const said: Original[] = [];
  const refused: Refusal[] = [];
  for (const { original, statements } of read) {
    const reason = statements.map((each) => lackOf(each, written, stems)).find((lack) => lack !== undefined);
    if (reason === undefined) said.push(original);
    else refused.push({ original, reason });
  }
  return { said, refused };
}

/** A number or name that no original has, or a negation that none has. */
function inventedBy(written: readonly Statement[], known: readonly Statement[]): string | undefined {
  const numbers = new Set(known.flatMap((each) => [...each.numbers]));
  const stems = new Set(known.flatMap(({ text }) => [...stemsOf(text)]));
  for (const line of written) {
    for (const number of line.numbers) if (!numbers.has(number)) return `number_invented: ${number}`;
    for (const [stem, name] of line.names) if (!stems.has(stem)) return `name_invented: ${name}`;
  }
  return undefined;
}

function lackOf(
  said: Statement,
  written: readonly Statement[],
  stems: ReadonlySet<string>,
): string | undefined {
  const isWritten = (number: string) => written.some(({ numbers }) => numbers.has(number));
  for (const number of said.numbers) if (!isWritten(number)) return `number_missing: ${number}`;
  for (const [stem, name] of said.names) if (!stems.has(stem)) return `name_missing: ${name}`;
  if (said.terms.size === 0) return undefined;
  const all = new Set(written.flatMap(({ terms }) => [...terms]));
  if (sharedOf(said, all) < LEAST_SAID * said.terms.size) return `says_too_little: "${shortened(said.text)}"`;
  const closest = closestTo(said, written);
  return closest.every(({ negated }) => negated !== said.negated)
    ? `negation_differs: "${shortened(said.text)}"`
    : undefined;
}

/** The sentences of the summary that share most terms with a sentence of an original. */
function closestTo(said: Statement, written: readonly Statement[]): Statement[] {
  const shares = written.map(({ terms }) => sharedOf(said, terms));
  const most = Math.max(...shares);
  return written.filter((_, at) => shares[at] === most);
}

function sharedOf({ terms }: Statement, others: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of terms) if (others.has(term)) shared += 1;
  return shared;
}

const SHOWN = 80;

function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
}
