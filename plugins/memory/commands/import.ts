/**
 * `plugboard memory import FILE`: reads NDJSON written by `export`, or data from mem0. An entry whose key its owner
 * already uses replaces that entry.
 */
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

/** Entries per batch. */
const TOGETHER = 50;

/**
 * Batches in file order. An entry without a date gets its date when it is stored, so it is a batch of its own; an entry
 * whose key or id is already in the batch starts a new one.
 */
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

/** Tries every entry, then throws the first error. */
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

/** Undefined if the entry has expired since the export. */
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

/** Supersession links. Made after all entries are stored, because a file may list them in any order. */
class Links {
  /** By the id of the entry here. */
  readonly #supersedes = new Map<string, string | null>();
  /** Ids in the file that are different here. */
  readonly #renamed = new Map<string, string>();

  note({ given: { id }, supersedes, supersededBy }: FiledEntry, entry: EntryDocument | undefined): void {
    if (entry === undefined) return;
    if (id !== undefined && id !== entry._id) this.#renamed.set(id, entry._id);
    if (supersedes !== null || entry.supersedes) this.#supersedes.set(entry._id, supersedes);
    // An entry here that the file does not know superseded this one: undo that.
    if (supersededBy === null && entry.supersededBy !== null) this.#supersedes.set(entry.supersededBy, null);
  }

  async make(entries: Entries, signal: AbortSignal): Promise<void> {
    for (const [newer, older] of this.#supersedes) {
      signal.throwIfAborted();
      await entries.relink(newer, older === null ? null : (this.#renamed.get(older) ?? older));
    }
  }
}
