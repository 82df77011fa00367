/**
 * Imports an archive: one record per line, read, checked and stored in batches. A batch is stored whole or not at all;
 * a known record is left unchanged, so restarting at an earlier line does no harm.
 */
import { nextTurn, turnIsOver, type JobRun } from 'plugboard/sdk';
import { RecordFault } from '../store/record.js';
import { openArchive, type Archive, type Line } from './lines.js';
import type { Sink } from './sinks.js';

export interface ImportInput {
  /** Absolute. */
  readonly path: string;
  readonly records: 'events' | 'issue-events';
  /** What an invalid line does. */
  readonly onError: 'stop' | 'skip';
}

export interface ImportCounts {
  /** Lines read. */
  lines: number;
  stored: number;
  known: number;
  /** Older than the retention. */
  expired: number;
  /** In a repository that the directory does not know: issue events give only its name. */
  unknown: number;
  /** Invalid lines. */
  skipped: number;
}

export interface ImportResult extends ImportCounts {
  /** The first invalid lines, from 1. */
  readonly wrong: readonly WrongLine[];
  /** Why the import ended before the end of the file; null if it did not. */
  readonly stopped: WrongLine | null;
}

export interface WrongLine {
  readonly line: number;
  readonly reason: string;
}

interface Checkpoint {
  readonly stamp: string;
  readonly counts: ImportCounts;
  readonly wrong: readonly WrongLine[];
}

const BATCH_RECORDS = 1_000;
/** Characters per transaction. */
const BATCH_SIZE = 4 * 1024 * 1024;
/** Between two checkpoints, in milliseconds. */
const CHECKPOINT_EVERY = 500;
const WRONG_KEPT = 20;

export async function importArchive<R>(sink: Sink<R>, run: JobRun<ImportInput>): Promise<ImportResult> {
  return new ArchiveImport(sink, run, await openArchive(run.input.path)).run();
}

/** What was read since the previous batch. `wrong` holds the first skipped lines. */
interface Batch<R> {
  readonly records: R[];
  readonly wrong: WrongLine[];
  size: number;
  skipped: number;
}

const emptyBatch = <R>(): Batch<R> => ({ records: [], wrong: [], size: 0, skipped: 0 });

class ArchiveImport<R> {
  readonly #sink: Sink<R>;
  readonly #run: JobRun<ImportInput>;
  readonly #archive: Archive;
  readonly #counts: ImportCounts;
  readonly #wrong: WrongLine[];
  #batch = emptyBatch<R>();
  #line = 0;
  #writing: Promise<void> = Promise.resolve();
  #savedAt = performance.now();

  constructor(sink: Sink<R>, run: JobRun<ImportInput>, archive: Archive) {
    this.#sink = sink;
    this.#run = run;
    this.#archive = archive;
    const saved = run.checkpoint as Checkpoint | undefined;
    // A changed file is a new one; its known records are skipped.
    const usable = saved?.stamp === archive.stamp ? saved : undefined;
    const none = { lines: 0, stored: 0, known: 0, expired: 0, unknown: 0, skipped: 0 };
    this.#counts = { ...(usable?.counts ?? none) };
    this.#wrong = [...(usable?.wrong ?? [])];
  }

  async run(): Promise<ImportResult> {
    const stopped = await this.#readAll();
    await this.#flush();
    await this.#writing;
    if (stopped === null) this.#run.progress(this.#archive.size, this.#archive.size);
    return { ...this.#counts, wrong: this.#wrong, stopped };
  }

  async #readAll(): Promise<WrongLine | null> {
    const begin = this.#counts.lines;
    try {
      for await (const lines of this.#archive.lines()) {
        this.#run.signal.throwIfAborted();
        for (const line of lines) {
          this.#line += 1;
          if (this.#line <= begin) continue;
          const fault = this.#read(line);
          if (fault !== undefined && this.#run.input.onError === 'stop') return fault;
          if (
            this.#batch.records.length + this.#batch.skipped >= BATCH_RECORDS ||
            this.#batch.size >= BATCH_SIZE
          )
            await this.#flush();
          if (turnIsOver()) await nextTurn();
        }
      }
      return null;
    } catch (error) {
      if (!isDamage(error)) throw error;
      return { line: this.#line + 1, reason: `the archive is damaged: ${error.message}` };
    }
  }

  /** What is wrong with the line; undefined if it joined the batch. */
  #read(line: Line): WrongLine | undefined {
    try {
      if (line === null) throw new RecordFault('line', 'invalid', 'the line is longer than 8 MiB');
      if (line.trim() === '') return undefined;
      this.#batch.records.push(this.#sink.read(line));
      this.#batch.size += line.length;
      return undefined;
    } catch (error) {
      if (!(error instanceof RecordFault)) throw error;
      const fault = { line: this.#line, reason: error.message };
      this.#batch.skipped += 1;
      if (this.#batch.wrong.length < WRONG_KEPT) this.#batch.wrong.push(fault);
      return fault;
    }
  }

  /** Starts to store the batch once the previous one is stored; reading goes on meanwhile. */
  async #flush(): Promise<void> {
    const [batch, until] = [this.#batch, this.#line];
    this.#batch = emptyBatch();
    await this.#writing;
    this.#writing = this.#store(batch, until);
    // The next await gets the failure; until then it must not count as unhandled.
    this.#writing.catch(() => undefined);
  }

  async #store({ records, wrong, skipped }: Batch<R>, until: number): Promise<void> {
    if (records.length > 0) {
      const { stored, known, expired, unknown } = await this.#sink.store(records);
      this.#counts.stored += stored;
      this.#counts.known += known;
      this.#counts.expired += expired;
      this.#counts.unknown += unknown;
    }
    this.#counts.skipped += skipped;
    this.#wrong.push(...wrong.slice(0, WRONG_KEPT - this.#wrong.length));
    this.#counts.lines = until;
    this.#run.progress(this.#archive.read, this.#archive.size);
    if (performance.now() - this.#savedAt < CHECKPOINT_EVERY) return;
    const checkpoint: Checkpoint = { stamp: this.#archive.stamp, counts: this.#counts, wrong: this.#wrong };
    await this.#run.save(checkpoint);
    this.#savedAt = performance.now();
  }
}

function isDamage(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return code?.startsWith('Z_') === true;
}
