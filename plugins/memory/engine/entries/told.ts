/** The payload of change notifications about entries: owner and names, never content. */
import type { Changes as Outbox, Transaction } from 'plugboard/sdk';
import type { EntryDocument } from './document.js';

type Kind = 'created' | 'updated' | 'deleted';

/** The announced fields of an entry. */
export const TOLD = { apiKeyId: 1, userId: 1, key: 1, type: 1, sessionId: 1, archived: 1 } as const;
type Told = Pick<EntryDocument, '_id' | keyof typeof TOLD>;

export class EntryTeller {
  readonly #outbox: Outbox | undefined;

  constructor(outbox: Outbox | undefined) {
    this.#outbox = outbox;
  }

  /** Whether changes of these kinds are announced: then the write requires a transaction. */
  tells(...kinds: Kind[]): boolean {
    return kinds.some((kind) => this.#outbox?.wants(`memory.${kind}`) === true);
  }

  /** Whether changes are recorded at all. */
  get isOn(): boolean {
    return this.#outbox?.on === true;
  }

  /** `erases`: with recorded changes of the entries, as they are a person's who is erased. */
  async tell(
    tx: Transaction | undefined,
    kind: Kind,
    entries: readonly Told[],
    erases = false,
  ): Promise<void> {
    if (tx === undefined || !(erases || this.tells(kind))) return;
    await this.#outbox?.record(
      tx,
      ...entries.map(({ _id: id, apiKeyId, userId = null, key, type, sessionId, archived }) => ({
        type: `memory.${kind}`,
        subject: id,
        data: { id, apiKeyId, userId, key, type, sessionId, archived },
        erases,
      })),
    );
  }
}
