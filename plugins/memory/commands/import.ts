/** `plugboard memory import FILE`: NDJSON as `export` writes it, or what mem0 gave out. An entry under a key that its owner has replaces it. */
import { open, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isServiceError, UserError, type Command, type CommandCall } from 'plugboard/sdk';
import type { EntryDocument } from '../engine/entries/document.js';
import type { Entries } from '../engine/entries/entries.js';
import { exportedEntries, type FiledEntry } from './exported-line.js';
import { mem0Entries } from './mem0-file.js';
import { progress } from './progress.js';
import { utf8Lines } from './utf8-lines.js';

export function importCommand(entries: Entries): Command {
  return {
    name: 'memory import',
    summary: 'reads memories from NDJSON; one with a key that its owner has replaces that entry',
    usage: 'FILE|-',
    options: {
      'dry-run': { type: 'boolean', summary: 'only check the file' },
      from: { type: 'string', value: 'mem0', summary: 'what wrote the file, where it was not export' },
      'api-key-id': { type: 'string', value: 'ID', summary: 'the owner of the memories of mem0' },
    },
    examples: [
      'plugboard memory import memories.ndjson',
      'plugboard memory import - < memories.ndjson',
      'plugboard memory import --from mem0 --api-key-id KEY memories.json',
    ],
    run: (call) => importEntries(entries, call),
  };
}

async function importEntries(entries: Entries, call: CommandCall): Promise<void> {
  const [file] = call.args;
  if (file === undefined) throw new UserError('name the file to import, or - for the standard input');
  const read = readerFor(call);
  const input = file === '-' ? call.stdin : (await openFile(resolve(call.cwd, file))).createReadStream();
  const dryRun = call.options['dry-run'] === true;
  const report = progress(call.stderr, dryRun ? 'checked' : 'imported');
  const links = new Links();
  for await (const batch of batches(read(utf8Lines(input)))) {
    call.signal.throwIfAborted();
    const written = dryRun ? [] : await allStored(entries, batch);
    batch.forEach((filed, at) => {
      if (!dryRun) links.note(filed, written[at]);
      report.step();
    });
  }
  await links.make(entries, call.signal);
  report.done();
}

type Reader = (lines: AsyncIterable<string>) => AsyncGenerator<FiledEntry, void>;

function readerFor({ options }: CommandCall): Reader {
  const { from, 'api-key-id': owner } = options;
  if (from === undefined) return exportedEntries;
  if (from !== 'mem0') throw new UserError(`--from takes mem0, not "${String(from)}"`);
  if (typeof owner !== 'string' || owner === '')
    throw new UserError('name the API key that the memories are to belong to: --api-key-id ID');
  return (lines) => mem0Entries(lines, owner);
}

function openFile(file: string): Promise<FileHandle> {
  return open(file).catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`cannot read ${file}: ${error.code ?? error.message}`, { cause: error });
  });
}

/** Entries that are stored at one time. */
const TOGETHER = 50;

/** In the order of the file. One without a date is made when it is stored, so it goes alone; so does another of a key or an id. */
async function* batches(filed: AsyncIterable<FiledEntry>): AsyncGenerator<FiledEntry[], void> {
  let batch: FiledEntry[] = [];
  const names = new Set<string>();
  for await (const each of filed) {
    const own = namesOf(each);
    const isDated = each.given.createdAt !== undefined && batch.at(-1)?.given.createdAt !== undefined;
    if (batch.length > 0 && (!isDated || batch.length === TOGETHER || own.some((name) => names.has(name)))) {
      yield batch;
      batch = [];
      names.clear();
    }
    batch.push(each);
    for (const name of own) names.add(name);
  }
  if (batch.length > 0) yield batch;
}

function namesOf({ entry: { apiKeyId, userId, key }, given: { id } }: FiledEntry): string[] {
  return [JSON.stringify([apiKeyId ?? null, userId ?? null, key]), ...(id === undefined ? [] : [id])];
}

/** Throws what the first that is refused says, when all have been tried. */
async function allStored(
  entries: Entries,
  batch: readonly FiledEntry[],
): Promise<(EntryDocument | undefined)[]> {
  const written = await Promise.allSettled(batch.map((filed) => stored(entries, filed)));
  return written.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}

/** Undefined: it expired since it was exported. */
async function stored(
  entries: Entries,
  { entry, given, place }: FiledEntry,
): Promise<EntryDocument | undefined> {
  try {
    return (await entries.put(entry, given)).entry;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    if (error.code === 'expired_date') return undefined;
    throw new UserError(`${place}: ${error.message}`);
  }
}

/** What took the place of what. Linked when all entries are there: a file may tell of them in any order. */
class Links {
  /** By the id that an entry has here. */
  readonly #supersedes = new Map<string, string | null>();
  /** The ids of a file that are others here. */
  readonly #renamed = new Map<string, string>();

  note({ given: { id }, supersedes, supersededBy }: FiledEntry, entry: EntryDocument | undefined): void {
    if (entry === undefined) return;
    if (id !== undefined && id !== entry._id) this.#renamed.set(id, entry._id);
    if (supersedes !== null || entry.supersedes) this.#supersedes.set(entry._id, supersedes);
    // Something took its place here that the file does not know: it holds again.
    if (supersededBy === null && entry.supersededBy !== null) this.#supersedes.set(entry.supersededBy, null);
  }

  async make(entries: Entries, signal: AbortSignal): Promise<void> {
    for (const [newer, older] of this.#supersedes) {
      signal.throwIfAborted();
      await entries.relink(newer, older === null ? null : (this.#renamed.get(older) ?? older));
    }
  }
}
