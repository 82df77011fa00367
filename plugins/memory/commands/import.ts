/** `plugboard memory import FILE`: NDJSON as `export` writes it. An entry under a key that its owner has replaces it. */
import { open, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  hasLoneSurrogate,
  Value,
  isServiceError,
  UserError,
  type Command,
  type CommandCall,
} from 'plugboard/sdk';
import type { Entries } from '../engine/entries/entries.js';
import { NewEntry } from '../engine/entries/entry.js';
import { progress } from './progress.js';
import { utf8Lines } from './utf8-lines.js';

/** What an export has beside the fields of a new entry. */
const GIVEN_OUT = [
  'id',
  'createdAt',
  'updatedAt',
  'needsReindex',
  'standsFor',
  'supersedes',
  'supersededBy',
] as const;

export function importCommand(entries: Entries): Command {
  return {
    name: 'memory import',
    summary: 'reads memories from NDJSON; one with a key that its owner has replaces that entry',
    usage: 'FILE|-',
    options: { 'dry-run': { type: 'boolean', summary: 'only check the lines' } },
    examples: ['plugboard memory import memories.ndjson', 'plugboard memory import - < memories.ndjson'],
    run: (call) => importEntries(entries, call),
  };
}

async function importEntries(entries: Entries, call: CommandCall): Promise<void> {
  const [file] = call.args;
  if (file === undefined) throw new UserError('name the file to import, or - for the standard input');
  const input = file === '-' ? call.stdin : (await openFile(resolve(call.cwd, file))).createReadStream();
  const dryRun = call.options['dry-run'] === true;
  const report = progress(call.stderr, dryRun ? 'checked' : 'imported');
  let line = 0;
  for await (const text of utf8Lines(input)) {
    line += 1;
    call.signal.throwIfAborted();
    if (text.trim() === '') continue;
    const entry = parseLine(text, line);
    if (!dryRun) await putLine(entries, entry, givenOf(text, line), line);
    report.step();
  }
  report.done();
}

function openFile(file: string): Promise<FileHandle> {
  return open(file).catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`cannot read ${file}: ${error.code ?? error.message}`, { cause: error });
  });
}

function parseLine(text: string, line: number): NewEntry {
  const raw = parseJson(text, line);
  const fields = Object.entries(raw).filter(([name]) => !(GIVEN_OUT as readonly string[]).includes(name));
  const entry: unknown = Value.Default(NewEntry, Object.fromEntries(fields));
  if (Value.Check(NewEntry, entry)) return entry;
  const [problem] = Value.Errors(NewEntry, entry);
  const property = problem?.instancePath.slice(1) || 'the entry';
  throw new UserError(`line ${line}: ${property} ${problem?.message ?? 'is not valid'}`);
}

function parseJson(text: string, line: number): object {
  if (hasLoneSurrogate(text)) throw new UserError(`line ${line}: a string holds half of a surrogate pair`);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below, with the line.
  }
  throw new UserError(`line ${line} is not a JSON object`);
}

/** An entry that is new here keeps its id and its dates. */
function givenOf(text: string, line: number): Parameters<Entries['put']>[1] {
  const raw = parseJson(text, line) as Record<string, unknown>;
  const id = raw['id'];
  const createdAt = dateOf(raw['createdAt'], 'createdAt', line);
  const updatedAt = dateOf(raw['updatedAt'], 'updatedAt', line);
  if (id !== undefined && !(typeof id === 'string' && UUID.test(id)))
    throw new UserError(`line ${line}: id must be a UUID`);
  return {
    ...(id !== undefined && { id }),
    ...(createdAt && { createdAt }),
    ...(updatedAt && { updatedAt }),
  };
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

function dateOf(value: unknown, name: string, line: number): Date | undefined {
  if (value === undefined) return undefined;
  const date = new Date(typeof value === 'string' ? value : NaN);
  if (Number.isNaN(date.getTime())) throw new UserError(`line ${line}: ${name} must be a date`);
  return date;
}

async function putLine(
  entries: Entries,
  entry: NewEntry,
  given: Parameters<Entries['put']>[1],
  line: number,
): Promise<void> {
  try {
    await entries.put(entry, given);
  } catch (error) {
    // It expired since it was exported.
    if (isServiceError(error) && error.code === 'expired_date') return;
    if (isServiceError(error)) throw new UserError(`line ${line}: ${error.message}`);
    throw error;
  }
}
