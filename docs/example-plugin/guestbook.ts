/** The guestbook itself: it knows storage and time, and nothing of HTTP. */
import {
  defineErrors,
  isStorageError,
  newId,
  token,
  type Clock,
  type Collection,
  type Document,
  type Storage,
} from 'plugboard/sdk';

export interface Entry extends Document {
  readonly _id: string;
  readonly author: string;
  readonly text: string;
  readonly writtenAt: Date;
}

/** Other plugins that need the guestbook name it by this token. */
export const GUESTBOOK = token<Guestbook>('guestbook@1');

const errors = defineErrors({
  entry_too_long: {
    status: 400,
    message: 'the text has {length} characters and may have {limit}',
    when: 'a text is longer than `maxLength`',
  },
  already_written: { status: 409, message: 'this entry is there already', when: 'an author repeats a text' },
  no_such_entry: { status: 404, message: 'there is no entry {id}', when: 'the id is not that of an entry' },
});

export class Guestbook {
  readonly #entries: Collection<Entry>;
  readonly #clock: Clock;
  readonly #maxLength: number;

  constructor(storage: Storage, clock: Clock, { maxLength }: { readonly maxLength: number }) {
    this.#entries = storage.collection<Entry>({
      name: 'entries',
      indexes: [{ keys: { writtenAt: -1, _id: 1 } }, { keys: { author: 1, text: 1 }, unique: true }],
    });
    this.#clock = clock;
    this.#maxLength = maxLength;
  }

  async write(author: string, text: string): Promise<Entry> {
    if (text.length > this.#maxLength) {
      const values = { length: text.length, limit: this.#maxLength };
      throw errors.entry_too_long({ values, details: { field: 'text' } });
    }
    const entry = { _id: newId(), author, text, writtenAt: new Date(this.#clock.now()) };
    try {
      await this.#entries.insertOne(entry);
    } catch (error) {
      if (isStorageError(error, 'duplicate_key')) throw errors.already_written();
      throw error;
    }
    return entry;
  }

  /** The newest entries first. */
  newest(limit: number): Promise<Entry[]> {
    return this.#entries.find({}, { sort: { writtenAt: -1, _id: 1 }, limit }).toArray();
  }

  async remove(id: string): Promise<void> {
    if ((await this.#entries.deleteOne({ _id: id })) === 0) throw errors.no_such_entry({ values: { id } });
  }
}
