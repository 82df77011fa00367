/** Events of version 2: what happened to an account, and where to read it; never what it holds. */
import type { Document } from 'plugboard/sdk';
import type { AccountState } from '../account/state.js';
import { CONFIGURATIONS } from '../schema/enums.js';

/** How long an event can be read. */
export const KEPT_SECONDS = 30 * 24 * 3_600;

export interface EventDocument extends Document {
  readonly platform: string;
  readonly type: string;
  /** The account; for a ping the destination. */
  readonly subject: string;
  readonly created: Date;
}

export type Kind = 'created' | 'updated' | 'closed';

/** Parts of an account that have a type of their own. */
const PARTS = ['defaults', 'identity'] as const;

/** The types that a change has: of the account, and of each part that differs. */
export function typesOf(kind: Kind, before: AccountState | undefined, after: AccountState): string[] {
  const account = `v2.core.account.${kind}`;
  if (kind !== 'updated' || before === undefined) return [account];
  const parts = [
    ...PARTS.filter((part) => differs(before[part], after[part])),
    ...CONFIGURATIONS.filter((name) => differs(before.configuration[name], after.configuration[name])).map(
      (name) => `configuration.${name}`,
    ),
  ];
  return [account, ...parts.map((part) => `v2.core.account[${part}].updated`)];
}

/** The names of the members that differ. */
export function changedMembers(before: AccountState, after: AccountState): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof AccountState>;
  return [...names].filter((name) => differs(before[name], after[name])).toSorted();
}

export const PING = 'v2.core.event_destination.ping';

/** A thin event, as it is sent and as it is read. */
export function thin(
  { _id: id, type, subject, created }: Pick<EventDocument, '_id' | 'type' | 'subject' | 'created'>,
  livemode: boolean,
) {
  const isPing = type === PING;
  return {
    id,
    object: 'v2.core.event' as const,
    type,
    created: created.toISOString(),
    livemode,
    context: null,
    related_object: {
      id: subject,
      type: isPing ? 'v2.core.event_destination' : 'v2.core.account',
      url: `/v2/core/${isPing ? 'event_destinations' : 'accounts'}/${subject}`,
    },
  };
}

function differs(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
