/** How many documents a collection has, and a digest of them that does not depend on their order. */
import { createHash } from 'node:crypto';

export interface Contents {
  readonly name: string;
  readonly documents: number;
  /** 16 bytes in hex: the exclusive or of the documents' SHA-256, cut to 16 bytes. Ids make every document different. */
  readonly digest: string;
}

export class Tally {
  readonly name: string;
  documents = 0;
  readonly #digest = Buffer.alloc(16);

  constructor(name: string) {
    this.name = name;
  }

  add(bytes: Uint8Array): void {
    const hash = createHash('sha256').update(bytes).digest();
    for (let at = 0; at < this.#digest.length; at++)
      this.#digest.writeUInt8(this.#digest.readUInt8(at) ^ hash.readUInt8(at), at);
    this.documents++;
  }

  contents(): Contents {
    return { name: this.name, documents: this.documents, digest: this.#digest.toString('hex') };
  }
}
