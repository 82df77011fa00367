/** Query parameters of a list as a storage filter. */
import type { Filter } from 'plugboard/sdk';
import type { EntryType } from '../base/schema.js';
import type { EntryDocument } from './document.js';
import { packMetadata } from './metadata.js';

export interface ListFilter {
  readonly apiKeyId?: string | undefined;
  readonly userId?: string | undefined;
  readonly type?: EntryType | undefined;
  readonly sessionId?: string | undefined;
  /** Entries valid at this instant, milliseconds. Default: now. */
  readonly asOf?: number | undefined;
  /** By member: the text of a value, as written in a query string. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export function listFilter({
  apiKeyId,
  userId,
  type,
  sessionId,
  metadata,
}: ListFilter): Filter<EntryDocument> {
  return {
    ...(apiKeyId ? { apiKeyId } : {}),
    ...(userId ? { userId } : {}),
    ...(type === undefined ? {} : { type }),
    ...(sessionId ? { sessionId } : {}),
    ...Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, text]) => metadataCondition(name, text)),
    ),
  };
}

function metadataCondition(name: string, text: string): [string, unknown] {
  const [packed, [asText, ...others]] = storedForms(name, text);
  return [`metadata.${packed}`, others.length > 0 ? { $in: [asText, ...others] } : asText];
}

/** A stored member and its possible values: `5` matches a text and a number. */
export function storedForms(name: string, text: string): [name: string, values: string[]] {
  const [[packed, asText] = ['', '']] = Object.entries(packMetadata({ [name]: text }));
  return [packed, isScalar(text) ? [asText, text] : [asText]];
}

/** Whether the text is JSON of a number, a boolean or null, as JSON.stringify writes it. */
function isScalar(text: string): boolean {
  return text === 'true' || text === 'false' || text === 'null' || String(Number(text)) === text;
}
