/** Operation ids in the OpenAPI document, which client generators turn into function names. */

/**
 * What names an operation; the path, `/notes/{id}`, is relative to the prefix, so another prefix does not rename it.
 */
export interface Named {
  readonly owner: string;
  readonly method: string;
  readonly path: string;
  /** The route's own. */
  readonly given?: string | undefined;
}

export class OperationIds {
  readonly #taken = new Set<string>();

  /** The route's own id, or else `memoryGetApiMemoryById`; unique. */
  take({ owner, method, path, given }: Named): string {
    const wanted = given ?? camelCase(`${owner} ${method.toLowerCase()} ${path.replaceAll('{', ' by ')}`);
    let id = wanted;
    for (let count = 2; this.#taken.has(id); count += 1) id = `${wanted}${count}`;
    this.#taken.add(id);
    return id;
  }
}

function camelCase(text: string): string {
  const words = text.match(/[A-Za-z0-9]+/g) ?? [];
  return words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('');
}
