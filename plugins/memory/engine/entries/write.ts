/** The updates of POST and PUT as values: decided here, executed in entries.ts. */
import { newId, type Update } from 'plugboard/sdk';
import { errors } from '../base/errors.js';
import type { EntryChange, EntryPatch, NewEntry } from './entry.js';
import { estimateTokens } from '../base/tokens.js';
import type { EntryDocument } from './document.js';
import { packMetadata } from './metadata.js';

/** A vector known before the write, or null if a background job makes it. */
export type KnownVector = { readonly vector: Uint8Array; readonly model: string } | null;

/** Dates of an imported entry, including those that no request may set. */
export interface GivenDates {
  readonly createdAt?: Date;
  readonly updatedAt?: Date;
  readonly validFrom?: Date;
  readonly validUntil?: Date | null;
}

/**
 * Creates an entry or, under an existing key of its owner, replaces it: content, session, type and expiry are new,
 * metadata is merged, id and creation date stay.
 */
export function upsertOf(
  entry: NewEntry,
  known: KnownVector,
  now: Date,
  id: string = newId(),
  given: GivenDates = {},
): Update<EntryDocument> {
  const metadata = Object.entries(packMetadata(entry.metadata ?? {}));
  const times = { ...timesOf(entry), ...validityGiven(given) };
  return {
    $set: {
      type: entry.type,
      sessionId: entry.sessionId ?? null,
      expiresAt: expiryOf(entry.expiresAt, now),
      updatedAt: given.updatedAt ?? now,
      summaryOf: null,
      folds: null,
      ...times,
      ...(entry.supersedes !== undefined && { supersedes: entry.supersedes }),
      ...contentFields(entry.content, known),
      ...Object.fromEntries(metadata.map(([name, value]) => [`metadata.${name}`, value])),
    },
    $inc: { revision: 1, contentVersion: 1 },
    $setOnInsert: {
      _id: id,
      createdAt: given.createdAt ?? now,
      archivedAt: null,
      supersededBy: null,
      ...(entry.supersedes === undefined ? { supersedes: null } : {}),
      ...(times.validFrom === undefined ? { validFrom: given.createdAt ?? now } : {}),
      ...(times.validUntil === undefined ? { validUntil: null } : {}),
      // With members to set, the object is created implicitly; setting both would conflict.
      ...(metadata.length === 0 ? { metadata: {} } : {}),
    },
  };
}

/** Changes only what the patch names; metadata is replaced. */
export function patchOf(patch: EntryChange, known: KnownVector, now: Date): Update<EntryDocument> {
  return {
    $set: {
      ...(patch.type === undefined ? {} : { type: patch.type }),
      ...(patch.key === undefined ? {} : { key: patch.key }),
      ...timesOf(patch),
      ...(patch.expiresAt === undefined ? {} : { expiresAt: expiryOf(patch.expiresAt, now) }),
      ...(patch.metadata === undefined ? {} : { metadata: packMetadata(patch.metadata) }),
      ...(patch.content === undefined ? { externalStale: 1 } : contentFields(patch.content, known)),
      updatedAt: now,
    },
    $inc: { revision: 1, ...(patch.content === undefined ? {} : { contentVersion: 1 }) },
  };
}

/** Content and everything derived from it change in one write, so that no reader sees a vector of other content. */
function contentFields(content: string, known: KnownVector): Partial<EntryDocument> {
  return { content, tokens: estimateTokens(content), ...vectorFields(known), externalStale: 1 };
}

export function vectorFields(known: KnownVector): Partial<EntryDocument> {
  return {
    vector: known?.vector ?? null,
    vectorModel: known?.model ?? null,
    needsReindex: known === null ? 1 : 0,
    attempts: 0,
    retryAt: null,
  };
}

function timesOf({ validFrom, validUntil }: EntryPatch): Partial<EntryDocument> {
  const from = validFrom === undefined ? undefined : dateOf(validFrom, 'validFrom');
  const until = typeof validUntil === 'string' ? dateOf(validUntil, 'validUntil') : validUntil;
  if (from && until && until <= from) throw errors.ends_before_it_begins({ param: 'validUntil' });
  return { ...(from && { validFrom: from }), ...(until !== undefined && { validUntil: until }) };
}

function validityGiven({ validFrom, validUntil }: GivenDates): Pick<GivenDates, 'validFrom' | 'validUntil'> {
  return { ...(validFrom && { validFrom }), ...(validUntil !== undefined && { validUntil }) };
}

function dateOf(text: string, param: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw errors.invalid_date({ values: { param, value: text }, param });
  return date;
}

function expiryOf(text: string | null | undefined, now: Date): Date | null {
  if (text === null || text === undefined) return null;
  const date = dateOf(text, 'expiresAt');
  if (date <= now) throw errors.expired_date({ values: { value: text }, param: 'expiresAt' });
  return date;
}
