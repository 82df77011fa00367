/** Version 2 events: what happened to an account and where to read it, never its contents. */
import type { Document } from 'plugboard/sdk';
import type { AccountState } from '../account/state.js';
import { assess } from '../requirements/engine.js';
import { CONFIGURATIONS } from '../schema/enums.js';

/** How long events are readable. */
export const KEPT_SECONDS = 30 * 24 * 3_600;

/** Small, and without personal data. */
export type EventData = Readonly<Record<string, unknown>>;

export interface EventDocument extends Document {
  readonly platform: string;
  readonly type: string;
  /** The `related_object`: the account, one of its persons; for a ping the destination. */
  readonly subject: string;
  /** The account, if the subject is one of its persons. */
  readonly account?: string;
  readonly data?: EventData;
  readonly created: Date;
}

/** `beside`: something related happens, such as a new person, without an update of the account itself. */
export type Kind = 'created' | 'updated' | 'closed' | 'beside';

/** One event of a change. */
export interface PartEvent {
  readonly type: string;
  /** If the event is about a person of the account. */
  readonly person?: string;
  readonly data?: EventData;
}

export interface ChangeOfAccount {
  readonly kind: Kind;
  /** Undefined for a new account. */
  readonly before?: AccountState;
  readonly after: AccountState;
  /** Epoch milliseconds at which requirements are assessed. */
  readonly now: number;
  /** Further events, not derived from the two states; they come first. */
  readonly tells?: readonly PartEvent[] | undefined;
}

/** Parts of an account with their own event type. */
const PARTS = ['defaults', 'identity'] as const;

/** The events of a change: of the account, of each changed part, and derived ones. */
export function eventsOf({ kind, before, after, now, tells = [] }: ChangeOfAccount): PartEvent[] {
  const account = kind === 'beside' ? [] : [{ type: `v2.core.account.${kind}` }];
  if (before === undefined || kind === 'closed') return [...tells, ...account];
  const parts = [
    ...PARTS.filter((part) => differs(before[part], after[part])),
    ...CONFIGURATIONS.filter((name) => differs(before.configuration[name], after.configuration[name])).map(
      (name) => `configuration.${name}`,
    ),
  ];
  const updated = parts.map((part) => ({ type: `v2.core.account[${part}].updated` }));
  return [...tells, ...account, ...updated, ...followingOf(before, after, now)];
}

/** Requirements that came, went or fell due, and capabilities thereby restricted or freed. */
function followingOf(before: AccountState, after: AccountState, now: number): PartEvent[] {
  const [was, is] = [assess(before, now), assess(after, now)];
  const events: PartEvent[] = [];
  if (differs(was.entries, is.entries)) events.push({ type: 'v2.core.account[requirements].updated' });
  if (differs(was.future, is.future)) events.push({ type: 'v2.core.account[future_requirements].updated' });
  for (const [name, status] of is.capabilities) {
    if (!differs(was.capabilities.get(name), status)) continue;
    const [configuration = '', ...capability] = name.split('.');
    events.push({
      type: `v2.core.account[configuration.${configuration}].capability_status_updated`,
      data: { updated_capability: capability.join('.') },
    });
  }
  return events;
}

/** The names of changed members. */
export function changedMembers(before: AccountState, after: AccountState): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof AccountState>;
  return [...names].filter((name) => differs(before[name], after[name])).toSorted();
}

export const PING = 'v2.core.event_destination.ping';
export const LINK_RETURNED = 'v2.core.account_link.returned';

type ThinFields = Pick<EventDocument, '_id' | 'type' | 'subject' | 'account' | 'created'>;

/** A thin event, as sent. */
export function thin(event: ThinFields, livemode: boolean) {
  const { _id: id, type, created } = event;
  return {
    id,
    object: 'v2.core.event' as const,
    type,
    created: created.toISOString(),
    livemode,
    context: null,
    related_object: relatedObject(event),
  };
}

/** An event as read, with the members that the thin one omits. */
export function full(event: EventDocument, livemode: boolean) {
  return { ...thin(event, livemode), ...(event.data !== undefined && { data: event.data }) };
}

function relatedObject({ type, subject: id, account }: ThinFields) {
  if (type === LINK_RETURNED) return null;
  if (type === PING)
    return { id, type: 'v2.core.event_destination', url: `/v2/core/event_destinations/${id}` };
  return account === undefined
    ? { id, type: 'v2.core.account', url: `/v2/core/accounts/${id}` }
    : { id, type: 'v2.core.account_person', url: `/v2/core/accounts/${account}/persons/${id}` };
}

function differs(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
