/**
 * A disk that loses its power: of what was written since the last sync of a file each sector is there or not, in
 * any version that it had meanwhile. It watches one folder and this process's syncs; lmdb's own are not seen, so
 * it must be told of a state in which everything is on disk.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const SECTOR = 512;
/** How many states of a file are remembered between two syncs. */
const VERSIONS = 12;

export type Random = () => number;

interface Version {
  readonly bytes: Buffer;
  /** When it was seen. */
  readonly look: number;
}

export class Disk {
  readonly #directory: string;
  readonly #random: Random;
  /** What is surely on disk. */
  readonly #durable = new Map<string, Version>();
  /** What the files were since then, the newest last. */
  readonly #since = new Map<string, Version[]>();
  #looks = 0;
  readonly #names = new Set<string>();
  readonly #unpatch: () => void;

  constructor(directory: string, random: Random) {
    this.#directory = directory;
    this.#random = random;
    this.#unpatch = watchSyncs((path) => this.#syncing(path));
    for (const [name, bytes] of this.#files()) {
      this.#durable.set(name, { bytes, look: 0 });
      this.#names.add(name);
    }
  }

  close(): void {
    this.#unpatch();
  }

  /** Remembers what the files are now. */
  look(): void {
    const look = ++this.#looks;
    for (const [name, bytes] of this.#files()) {
      const versions = this.#since.get(name) ?? [];
      if (versions.at(-1)?.bytes.equals(bytes)) versions.pop();
      versions.push({ bytes, look });
      if (versions.length > VERSIONS) versions.splice(Math.floor(this.#random() * (VERSIONS - 1)), 1);
      this.#since.set(name, versions);
    }
  }

  /** Returns what to do when the sync has succeeded. */
  #syncing(path: string): () => void {
    if (path === this.#directory) {
      const names = fs.readdirSync(path);
      return () => {
        this.#names.clear();
        for (const name of names) this.#names.add(name);
      };
    }
    const name = path.slice(this.#directory.length + 1);
    if (path !== join(this.#directory, name) || !fs.existsSync(path)) return () => {};
    this.look();
    const bytes = fs.readFileSync(path);
    const look = this.#looks;
    return () => {
      // Another sync of the file may have begun later and ended earlier.
      if (look > (this.#durable.get(name)?.look ?? -1)) this.#durable.set(name, { bytes, look });
      const since = this.#since.get(name) ?? [];
      this.#since.set(
        name,
        since.filter((version) => version.look > look),
      );
    };
  }

  /** Fills an empty folder with what a crash may leave. */
  crash(into: string): void {
    this.look();
    for (const name of new Set([...this.#names, ...this.#since.keys()])) {
      const found = this.#names.has(name) || this.#random() < 0.5;
      if (found) fs.writeFileSync(join(into, name), this.#left(name));
    }
  }

  #left(name: string): Buffer {
    const durable = this.#durable.get(name)?.bytes ?? Buffer.alloc(0);
    const versions = [durable, ...(this.#since.get(name) ?? []).map(({ bytes }) => bytes)];
    const newest = versions.at(-1)!;
    // Most crashes lose or keep almost everything; some are a wild mix.
    const bias = this.#random() ** 3;
    const keepsOld = this.#random() < 0.5;
    const left = Buffer.alloc(newest.length);
    for (let at = 0; at < left.length; at += SECTOR) {
      const usual = keepsOld ? durable : newest;
      const version = this.#random() < bias ? versions[Math.floor(this.#random() * versions.length)]! : usual;
      // There was nothing yet after the end of an older version.
      if (at < version.length) version.copy(left, at, at, Math.min(at + SECTOR, version.length));
    }
    return left;
  }

  *#files(): Generator<[string, Buffer]> {
    for (const name of fs.readdirSync(this.#directory))
      if (!name.includes('lock')) yield [name, fs.readFileSync(join(this.#directory, name))];
  }
}

/** `syncing` hears of every sync as it begins and gives what is to happen when it has succeeded. */
function watchSyncs(syncing: (path: string) => () => void): () => void {
  const { fdatasync, fdatasyncSync, fsyncSync } = fs;
  const pathOf = (file: number): string => fs.readlinkSync(`/proc/self/fd/${file}`);
  const watched = (call: (file: number) => void) => (file: number) => {
    const synced = syncing(pathOf(file));
    call(file);
    synced();
  };
  Object.assign(fs, {
    fdatasyncSync: watched(fdatasyncSync),
    fsyncSync: watched(fsyncSync),
    fdatasync(file: number, done: (error: NodeJS.ErrnoException | null) => void): void {
      const synced = syncing(pathOf(file));
      fdatasync(file, (error) => {
        if (!error) synced();
        done(error);
      });
    },
  });
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, { fdatasync, fdatasyncSync, fsyncSync });
    syncBuiltinESMExports();
  };
}

/** The same numbers for the same seed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
