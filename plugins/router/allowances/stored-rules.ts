/** Rules that were made by API. A change holds at once on the instance that made it, and within `EVERY` on the others. */
import type { Collection, Document, Logger, Storage } from 'plugboard/sdk';
import type { AllowanceRule } from './schema.js';

interface RuleDocument extends Document {
  readonly rule: AllowanceRule;
}

export interface NamedRule {
  readonly name: string;
  readonly rule: AllowanceRule;
}

/** Milliseconds. */
const EVERY = 5_000;
/** Each call looks at all of them. */
export const MOST_RULES = 1_000;

export class StoredRules {
  readonly #documents: Collection<RuleDocument>;
  readonly #changed: (rules: readonly NamedRule[]) => void;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;

  /** `changed` is told of all of them, whenever they were read. */
  constructor(storage: Storage, changed: (rules: readonly NamedRule[]) => void, log: Logger) {
    this.#documents = storage.collection<RuleDocument>({ name: 'allowances', indexes: [] });
    this.#changed = changed;
    this.#log = log;
    this.#timer = setInterval(() => {
      this.read().catch((error: unknown) => this.#log.warn({ err: error }, 'allowances were not read anew'));
    }, EVERY).unref();
  }

  async read(): Promise<void> {
    this.#changed(await this.list());
  }

  async list(): Promise<NamedRule[]> {
    const found = await this.#documents.find({}, { sort: { _id: 1 }, limit: MOST_RULES }).toArray();
    return found.map(({ _id, rule }) => ({ name: _id, rule }));
  }

  count(): Promise<number> {
    return this.#documents.countDocuments({});
  }

  async put(name: string, rule: AllowanceRule): Promise<void> {
    await this.#documents.replaceOne({ _id: name }, { _id: name, rule }, { upsert: true });
    await this.read();
  }

  /** False when there was none. */
  async delete(name: string): Promise<boolean> {
    const deleted = await this.#documents.deleteOne({ _id: name });
    await this.read();
    return deleted > 0;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
