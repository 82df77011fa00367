/** Makes backups while the server runs. The folder is its only memory: the names in it decide what is due. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Logger, Metrics } from 'plugboard/sdk';
import type { EmbeddedStore } from '../storage.js';
import { storeOfBackup } from '../upkeep/backup.js';
import { assertRecipients } from '../upkeep/encryption.js';
import { keptTimes } from './kept.js';
import { makeBackup } from './make.js';
import type { BackupSettings } from './settings.js';

const HOUR = 3_600_000;
/** How often to check whether a backup is due, in milliseconds. */
const LOOK = 10_000;
/** How long the program of `after` may take; milliseconds. */
const AFTER_TIMEOUT = HOUR;

export interface ScheduleParts {
  readonly store: EmbeddedStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Ends the program of `after`. */
  readonly signal: AbortSignal;
}

/** `directory`: absolute. Throws if a recipient is not a key. */
export async function startBackups(
  directory: string,
  settings: BackupSettings,
  { onStop, ...parts }: ScheduleParts & { readonly onStop: (release: () => unknown) => void },
): Promise<void> {
  await assertRecipients(settings.encryptTo);
  const schedule = new BackupSchedule(directory, settings, parts);
  void schedule.runIfDue();
  const timer = setInterval(() => void schedule.runIfDue(), LOOK);
  timer.unref();
  onStop(async () => {
    clearInterval(timer);
    await schedule.settled();
  });
}

export class BackupSchedule {
  readonly #directory: string;
  readonly #settings: BackupSettings;
  readonly #parts: ScheduleParts;
  readonly #failures;
  #notBefore = 0;
  #running: Promise<void> | undefined;

  /** `directory`: absolute. */
  constructor(directory: string, settings: BackupSettings, parts: ScheduleParts) {
    this.#directory = directory;
    this.#settings = settings;
    this.#parts = parts;
    this.#failures = parts.metrics.counter('backup_failures_total', 'Scheduled backups that failed');
    this.#tellNewest();
  }

  /** Makes a backup if one is due. Never rejects: a failure is logged and counted, and tried again within an hour. */
  runIfDue(): Promise<void> {
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Resolves when no backup is being made. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#parts;
    const now = clock.now();
    const every = this.#settings.everyHours * HOUR;
    try {
      const newest = this.#times().at(-1) ?? -Infinity;
      // A clock that was set back delays no backup.
      if (now < this.#notBefore || (newest <= now && now < newest + every)) return;
      this.#notBefore = now + Math.min(every, HOUR);
      const name = nameAt(now);
      const { directory, documents } = await makeBackup(this.#parts.store, this.#directory, name, {
        encryptTo: this.#settings.encryptTo,
        clock,
        log,
      });
      this.#tellNewest();
      await this.#runAfter(directory);
      this.#prune();
      log.info({ directory, documents }, 'a backup was made, restored and checked');
    } catch (error) {
      this.#failures.add(1);
      log.error({ err: error, directory: this.#directory }, 'a backup failed');
    }
  }

  async #runAfter(directory: string): Promise<void> {
    const [program, ...words] = this.#settings.after ?? [];
    if (program === undefined) return;
    const { signal } = this.#parts;
    const args = words.map((word) => (word === '{}' ? directory : word));
    // Not Node's error: its message repeats the arguments, which may hold a secret.
    const failure = await new Promise<string | undefined>((resolve) => {
      execFile(program, args, { signal, timeout: AFTER_TIMEOUT }, (error, _, stderr) =>
        resolve(error === null ? undefined : `${error.code ?? 'a signal'}: ${stderr.trim().slice(-500)}`),
      );
    });
    if (failure !== undefined) throw new Error(`"${program}" ended with ${failure}`);
  }

  #prune(): void {
    const times = this.#times();
    const kept = keptTimes(times, this.#settings.keep);
    for (const time of times)
      if (!kept.has(time)) rmSync(join(this.#directory, nameAt(time)), { recursive: true });
  }

  /** Of this store's complete backups, oldest first. Other files in the folder are left alone. */
  #times(): number[] {
    if (!existsSync(this.#directory)) return [];
    return readdirSync(this.#directory)
      .filter((name) => storeOfBackup(join(this.#directory, name)) === this.#parts.store.environment.store)
      .flatMap((name) => timeOf(name) ?? [])
      .toSorted((a, b) => a - b);
  }

  #tellNewest(): void {
    const newest = this.#times().at(-1);
    if (newest === undefined) return;
    this.#parts.metrics
      .gauge('backup_last_timestamp_seconds', 'When the newest scheduled backup was made')
      .set(newest / 1000);
  }
}

/** 2026-11-23T030405Z: sorts by name, and is valid on every file system. */
function nameAt(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replaceAll(':', '')}Z`;
}

function timeOf(name: string): number | undefined {
  const [, date = '', hour = '', minute = '', second = ''] =
    /^(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d)Z$/.exec(name) ?? [];
  const time = Date.parse(`${date}${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}
