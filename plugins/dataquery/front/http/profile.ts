/** Which exposed schema a request means. */
import type { Catalog } from '../../engine/catalog/model.js';
import { errors } from '../../engine/base/errors.js';

export interface Profile {
  readonly schema: string;
  /** Returned in `Content-Profile` when there is a choice. */
  readonly shown: string | undefined;
}

/** `Accept-Profile` of a read, `Content-Profile` of a write. Throws SVC106. */
export function chooseProfile(catalog: Catalog, header: string | undefined): Profile {
  const schema = header === undefined || header === '' ? (catalog.exposed[0] ?? '') : header;
  if (!catalog.exposed.includes(schema)) {
    throw errors.SVC106({
      values: { schema },
      hint: `Only the following schemas are exposed: ${catalog.exposed.join(', ')}`,
    });
  }
  return { schema, shown: catalog.exposed.length > 1 ? schema : undefined };
}
