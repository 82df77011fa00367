/** A decoded document in memory. */
import type { Values } from '../../../bson/value.js';
import { copyValue, isReference } from '../../../bson/copy.js';
import { setMember, type Members } from '../../../bson/shape.js';

/** A document that stays as it is: what is given out are copies, or itself to those who change nothing. */
export class CachedDocument {
  readonly document: Values;
  /** In bytes, as it is stored. */
  readonly size: number;
  /** Whether it is another one by now: a key may still lead here. */
  changed = false;
  /** The members whose values could be changed through a copy. */
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
