// @ts-check
/** The guestbook itself: it knows storage and time, and nothing of HTTP. */
import { defineErrors, newId, token } from 'plugboard/sdk';

/**
 * @typedef {{ _id: string, author: string, text: string, writtenAt: Date }} Entry
 */

/** Other plugins that need the guestbook name it by this token. @type {import('plugboard/sdk').Token<Guestbook>} */
export const GUESTBOOK = token('guestbook@1');

export const errors = defineErrors({
  entry_too_long: {
    status: 400,
    message: 'the text has {length} characters and may have {limit}',
    when: 'a text is longer than `maxLength`',
  },
  no_such_entry: { status: 404, message: 'there is no entry {id}', when: 'the id is not that of an entry' },
});

export class Guestbook {
  #entries;
  #clock;
  #maxLength;

  /**
   * @param {import('plugboard/sdk').Storage} storage
   * @param {import('plugboard/sdk').Clock} clock
   * @param {{ maxLength: number }} config
   */
  constructor(storage, clock, { maxLength }) {
    this.#entries = /** @type {import('plugboard/sdk').Collection<Entry>} */ (
      storage.collection({ name: 'entries', indexes: [{ keys: { writtenAt: -1, _id: 1 } }] })
    );
    this.#clock = clock;
    this.#maxLength = maxLength;
  }

  /** @param {string} author @param {string} text @returns {Promise<Entry>} */
  async write(author, text) {
    if (text.length > this.#maxLength) {
      throw errors.entry_too_long({ values: { length: text.length, limit: this.#maxLength }, param: 'text' });
    }
    const entry = { _id: newId(), author, text, writtenAt: new Date(this.#clock.now()) };
    await this.#entries.insertOne(entry);
    return entry;
  }

  /** The newest entries first. @param {number} limit */
  newest(limit) {
    return this.#entries.find({}, { sort: { writtenAt: -1, _id: 1 }, limit }).toArray();
  }

  /** @param {string} id */
  async remove(id) {
    if ((await this.#entries.deleteOne({ _id: id })) === 0) throw errors.no_such_entry({ values: { id } });
  }
}
