/** Matches documents with the text in one of the members, ignoring case. */
import type { Document } from '../storage/document.js';
import type { Filter } from '../storage/filter.js';

export function containing<D extends Document>(
  text: string,
  members: readonly (keyof D & string)[],
): Filter<D> {
  const $regex = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`), 'i');
  return { $or: members.map((member) => ({ [member]: { $regex } }) as Filter<D>) } as Filter<D>;
}
