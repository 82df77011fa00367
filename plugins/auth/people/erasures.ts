/**
 * Erases a person: here, in the directory and in every plugin that keeps personal data. The work is stored before
 * anything is removed, so that a later start, or another instance, continues after a crash.
 */
import {
  newId,
  Semaphore,
  type Audit,
  type Clock,
  type Collection,
  type Directory,
  type Document,
  type Logger,
  type People,
  type Person,
  type Storage,
} from 'plugboard/sdk';
import type { Sessions } from '../admin/sessions.js';
import type { ApiKeys } from '../keys/api-keys.js';
import type { Identities } from '../users/identities.js';
import type { Users } from '../users/users.js';

interface ErasureDocument extends Document {
  readonly person: Person;
  /** Records erased by each finished plugin. */
  readonly done: Readonly<Record<string, number>>;
  readonly createdAt: Date;
}

export interface ErasureParts {
  readonly storage: Storage;
  readonly directory: Directory;
  readonly people: People;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly log: Logger;
  readonly users: Pick<Users, 'forget'>;
  readonly identities: Pick<Identities, 'forget'>;
  readonly sessions: Pick<Sessions, 'endOthers'>;
  readonly keys: Pick<ApiKeys, 'forgetMaker'>;
}

/** Milliseconds between two looks for work left by a crash or by a plugin that failed. */
const INTERVAL = 60_000;
/** Milliseconds until the first look, when the plugins have started. */
const FIRST = 1_000;

export class Erasures {
  readonly #parts: ErasureParts;
  readonly #documents: Collection<ErasureDocument>;
  /** One at a time, so that a concurrent look does not count what an erasure removes. */
  readonly #turns = new Semaphore(1);
  #working: Promise<unknown> = Promise.resolve();

  constructor(parts: ErasureParts) {
    this.#parts = parts;
    this.#documents = parts.storage.collection<ErasureDocument>({ name: 'erasures' });
  }

  /**
   * Once this resolves, the person can no longer log in and is in no list. `done`: records by plugin, or undefined if
   * the rest follows, because a plugin is not up or has failed.
   */
  erase(person: Person): Promise<Readonly<Record<string, number>> | undefined> {
    return this.#turns.run(() => this.#erase(person));
  }

  async #erase(person: Person): Promise<Readonly<Record<string, number>> | undefined> {
    const { users, identities, sessions, keys, directory, clock } = this.#parts;
    const erasure: ErasureDocument = {
      _id: newId(),
      person,
      done: {},
      createdAt: new Date(clock.now()),
    };
    await this.#documents.insertOne(erasure);
    const { id } = person;
    if (id !== undefined) {
      await users.forget(id);
      await sessions.endOthers(id, undefined);
      await identities.forget(id);
      await keys.forgetMaker(id);
      await directory.remove(id);
    }
    return this.#goOn(erasure).catch((error: unknown) => {
      this.#parts.log.error({ err: error }, 'erasing a person will be tried again');
      return undefined;
    });
  }

  /** Continues unfinished erasures periodically until `signal` is aborted. */
  follow(signal: AbortSignal): void {
    const look = (): void => {
      this.#working = this.#working.then(() => (signal.aborted ? undefined : this.resume()));
    };
    const timers = [setTimeout(look, FIRST), setInterval(look, INTERVAL)];
    for (const timer of timers) timer.unref();
    signal.addEventListener('abort', () => timers.forEach((timer) => clearTimeout(timer)), { once: true });
  }

  async resume(): Promise<void> {
    try {
      await this.#turns.run(async () => {
        for (const erasure of await this.#documents.find({}).toArray()) await this.#goOn(erasure);
      });
    } catch (error) {
      this.#parts.log.error({ err: error }, 'erasing a person will be tried again');
    }
  }

  async close(): Promise<void> {
    await this.#working;
  }

  async #goOn({ _id, person, done }: ErasureDocument): Promise<Readonly<Record<string, number>> | undefined> {
    const { people, audit } = this.#parts;
    const plugins = people.list();
    if (plugins === undefined) return undefined;
    const counts: Record<string, number> = { ...done };
    for (const { plugin, data } of plugins) {
      if (counts[plugin] !== undefined) continue;
      counts[plugin] = await data.erase(person);
      await this.#documents.updateOne({ _id }, { $set: { done: counts } });
    }
    await audit.record({
      action: 'erase a person',
      outcome: 'done',
      actor: 'server',
      target: person.principals[0] ?? '',
      fields: Object.entries(counts).map(([plugin, count]) => `${plugin} ${count}`),
    });
    await this.#documents.deleteOne({ _id });
    return counts;
  }
}
