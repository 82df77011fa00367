/** Reads an export: one entry per line. */
import { hasLoneSurrogate, UserError, Value } from 'plugboard/sdk';
import { NewEntry } from '../engine/entries/entry.js';
import type { GivenDates } from '../engine/entries/write.js';

/** An entry read from a file, with the fields that a create request cannot carry. */
export interface FiledEntry {
  /** Used in messages: `line 3`. */
  readonly place: string;
  readonly entry: NewEntry;
  readonly given: GivenDates & { readonly id?: string };
  /** Ids, within the same file, of the entry that this one supersedes and of the one that supersedes it. */
  readonly supersedes: string | null;
  readonly supersededBy: string | null;
}

/** Fields of an export that a create request does not accept; absent ones get new values. */
const GIVEN_OUT = [
  'id',
  'createdAt',
  'updatedAt',
  'validFrom',
  'validUntil',
  'needsReindex',
  'standsFor',
  'supersedes',
  'supersededBy',
] as const;

/** Throws UserError, naming the line. */
export async function* exportedEntries(lines: AsyncIterable<string>): AsyncGenerator<FiledEntry, void> {
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() !== '') yield exportedLine(text, `line ${line}`);
  }
}

function exportedLine(text: string, line: string): FiledEntry {
  const raw = parseJson(text, line);
  const fields = Object.entries(raw).filter(([name]) => !(GIVEN_OUT as readonly string[]).includes(name));
  return {
    place: line,
    entry: newEntry(Object.fromEntries(fields), line),
    given: givenOf(raw, line),
    supersedes: idOf(raw['supersedes'] ?? undefined, 'supersedes', line) ?? null,
    supersededBy: idOf(raw['supersededBy'] ?? undefined, 'supersededBy', line) ?? null,
  };
}

/** Throws UserError, naming the line and the property. */
export function newEntry(fields: object, line: string): NewEntry {
  const entry: unknown = Value.Default(NewEntry, fields);
  if (Value.Check(NewEntry, entry)) return entry;
  const [problem] = Value.Errors(NewEntry, entry);
  const property = problem?.instancePath.slice(1) || 'the entry';
  throw new UserError(`${line}: ${property} ${problem?.message ?? 'is not valid'}`);
}

function parseJson(text: string, line: string): Record<string, unknown> {
  if (hasLoneSurrogate(text)) throw new UserError(`${line}: a string holds half of a surrogate pair`);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Reported below, with the line.
  }
  throw new UserError(`${line} is not a JSON object`);
}

/** An entry that does not exist here yet keeps its id and its dates. */
function givenOf(raw: Record<string, unknown>, line: string): FiledEntry['given'] {
  const id = idOf(raw['id'], 'id', line);
  const date = (name: string): Date | undefined => dateOf(raw[name], name, line);
  const [createdAt, updatedAt, validFrom] = [date('createdAt'), date('updatedAt'), date('validFrom')];
  const validUntil = raw['validUntil'] === null ? null : date('validUntil');
  return {
    ...(id !== undefined && { id }),
    ...(createdAt && { createdAt }),
    ...(updatedAt && { updatedAt }),
    ...(validFrom && { validFrom }),
    ...(validUntil !== undefined && { validUntil }),
  };
}

export const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

function idOf(value: unknown, name: string, line: string): string | undefined {
  if (value === undefined || (typeof value === 'string' && UUID.test(value))) return value;
  throw new UserError(`${line}: ${name} must be a UUID`);
}

/** Undefined if absent. Throws UserError, naming the line. */
export function dateOf(value: unknown, name: string, line: string): Date | undefined {
  if (value === undefined) return undefined;
  const date = new Date(typeof value === 'string' ? value : NaN);
  if (Number.isNaN(date.getTime())) throw new UserError(`${line}: ${name} must be a date`);
  return date;
}
