/** Checks at the start, not at the first secret, that the sealing keys are those of this store. */
import {
  type Collection,
  type Document,
  isStorageError,
  type Secrets,
  type Storage,
  UserError,
} from 'plugboard/sdk';

interface ProofDocument extends Document {
  /** A known text, sealed with the first key of the last instance that started. */
  readonly sealed: string;
}

const ID = 'seal';
const TEXT = 'sealed by this deployment';
const CONTEXT = 'auth.seal';

export class SealProof {
  readonly #proofs: Collection<ProofDocument>;
  readonly #secrets: Secrets;

  constructor(storage: Storage, secrets: Secrets) {
    this.#proofs = storage.collection<ProofDocument>({ name: 'seal_proofs' });
    this.#secrets = secrets;
  }

  /** Throws a `UserError` if no listed key opens what an earlier start, or another instance, has sealed. */
  async check(): Promise<void> {
    const mine = { _id: ID, sealed: this.#secrets.seal(TEXT, CONTEXT) };
    try {
      await this.#proofs.insertOne(mine);
    } catch (error) {
      if (!isStorageError(error, 'duplicate_key')) throw error;
      const found = await this.#proofs.findOne({ _id: ID });
      if (found !== null) assertOpens(found.sealed, this.#secrets);
      await this.#proofs.replaceOne({ _id: ID }, mine);
    }
  }
}

function assertOpens(sealed: string, secrets: Secrets): void {
  try {
    secrets.open(sealed, CONTEXT);
  } catch (error) {
    throw new UserError(
      `the sealing keys are not those of this store: ${(error as Error).message}. ` +
        'Put the old key back, into providers.secrets.keys or as seal.key in the folder of the store',
      { cause: error },
    );
  }
}
