/** A decoded document in memory. */
import type { Values } from '../../../bson/value.js';
import { copyValue, isReference } from '../../../bson/copy.js';
import { setMember, type Members } from '../../../bson/shape.js';

/** Immutable: callers get a copy, or the document itself if they promise not to change it. */
export class CachedDocument {
  readonly document: Values;
  /** Stored size in bytes. */
  readonly size: number;
  /** Whether the document has changed since; a key may still lead here. */
  changed = false;
  /** Members that a shallow copy would share. */
  readonly #deep: readonly string[];

  constructor(document: Values, size: number) {
    this.document = document;
    this.size = size;
    this.#deep = Object.keys(document).filter((name) => isReference(document[name]));
  }

  copy(members: Members): Values {
    const { names } = members;
    if (names !== undefined) return this.#pick(names);
    const copy = { ...this.document };
    for (const name of this.#deep) setMember(copy, name, copyValue(this.document[name]));
    return copy;
  }

  #pick(names: ReadonlySet<string>): Values {
    const copy: Values = {};
    for (const name in this.document)
      if (names.has(name)) setMember(copy, name, copyValue(this.document[name]));
    return copy;
  }
}
