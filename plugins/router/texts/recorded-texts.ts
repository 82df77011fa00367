/** What was asked and answered, for administrators alone: sealed, for some days. */
import {
  newId,
  principalId,
  type Collection,
  type Document,
  type Logger,
  type Principal,
  type Secrets,
  type Storage,
} from 'plugboard/sdk';
import { anyOf, type Glob } from '../glob.js';
import type { UsageRecord } from '../usage/record.js';
import type { TextSettings } from './schema.js';

/** Of a call that runs. */
export interface CallTexts {
  /** The messages as JSON, as they are sent. */
  request: string;
  /** As far as it came; null if it was passed on unread. */
  answer: string | null;
}

interface TextDocument extends Document {
  readonly at: Date;
  /** Whose call it was, see `principalId`. */
  readonly key: string;
  /** Both texts as JSON, with the model. */
  readonly sealed: string;
}

export interface RecordedText extends CallTexts {
  readonly model: string;
  /** When the call came in, as its record says. */
  readonly at: Date;
  readonly key: string;
}

/** Concurrent writes; texts beyond that are not recorded, and the log says so. */
const MOST_WRITES = 1_000;
/** Of one key that came in within one millisecond. */
const MOST_AT_ONCE = 20;

export class RecordedTexts {
  readonly #settings: TextSettings;
  readonly #secrets: Secrets;
  readonly #log: Logger;
  readonly #texts: Collection<TextDocument>;
  readonly #isRecorded: Glob;
  readonly #writes = new Set<Promise<void>>();

  constructor(
    settings: TextSettings,
    { storage, secrets, log }: { storage: Storage; secrets: Secrets; log: Logger },
  ) {
    this.#settings = settings;
    this.#secrets = secrets;
    this.#log = log;
    this.#isRecorded = anyOf(settings.keys);
    this.#texts = storage.collection<TextDocument>({
      name: 'texts',
      indexes: [
        { keys: { at: 1 }, expireAfterSeconds: settings.keepDays * 86_400 },
        { keys: { key: 1, at: 1 } },
      ],
    });
    secrets.keeps('recorded texts of calls', this.#texts, 'sealed', contextOf);
  }

  /** For a call that begins; undefined if it is not to be recorded. */
  begin(caller: Principal): CallTexts | undefined {
    const names = caller.kind === 'key' ? [caller.id, caller.name] : [principalId(caller)];
    return names.some((name) => this.#isRecorded(name)) ? { request: '', answer: null } : undefined;
  }

  /** The call has ended. */
  keep({ at, key, model }: UsageRecord, { request, answer }: CallTexts): void {
    if (this.#writes.size >= MOST_WRITES) {
      this.#log.warn({ key }, 'the texts of a call were not recorded: the store is slow');
      return;
    }
    const most = this.#settings.maxCharacters;
    const texts = { model, request: request.slice(0, most), answer: answer?.slice(0, most) ?? null };
    const _id = newId();
    const write = this.#write({
      _id,
      at,
      key,
      sealed: this.#secrets.seal(JSON.stringify(texts), contextOf(_id)),
    });
    this.#writes.add(write);
    void write.finally(() => this.#writes.delete(write));
  }

  /** Of the calls of a key that came in at that millisecond. */
  async find(key: string, at: Date): Promise<RecordedText[]> {
    await this.close();
    const found = await this.#texts.find({ key, at }, { limit: MOST_AT_ONCE }).toArray();
    return found.map((text) => this.#opened(text));
  }

  async *of(keys: readonly string[]): AsyncGenerator<RecordedText> {
    await this.close();
    for await (const text of this.#texts.find({ key: { $in: [...keys] } })) yield this.#opened(text);
  }

  /** Answers how many there were. */
  async forget(keys: readonly string[]): Promise<number> {
    await this.close();
    return this.#texts.deleteMany({ key: { $in: [...keys] } });
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    await Promise.all(this.#writes);
  }

  #opened({ _id, at, key, sealed }: TextDocument): RecordedText {
    return {
      at,
      key,
      ...(JSON.parse(this.#secrets.open(sealed, contextOf(_id))) as CallTexts & { model: string }),
    };
  }

  async #write(text: TextDocument): Promise<void> {
    try {
      await this.#texts.insertOne(text);
    } catch (error) {
      this.#log.warn({ err: error }, 'the texts of a call were not recorded');
    }
  }
}

function contextOf(id: string): string {
  return `router/texts/${id}`;
}
