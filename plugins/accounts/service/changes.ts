/** What leaves the server of a change of an account: its id and which members changed, never what they hold. */
import type { Changes, NotedChange, Transaction } from 'plugboard/sdk';
import type { AccountDocument, AccountState } from '../account/state.js';

export type Kind = 'created' | 'updated' | 'closed';

export async function recordChange(
  changes: Changes | undefined,
  tx: Transaction,
  kind: Kind,
  { _id: id, platform, version }: Pick<AccountDocument, '_id' | 'platform' | 'version'>,
  changed: readonly string[] = [],
): Promise<void> {
  const change: NotedChange = {
    type: `v2.core.account.${kind}`,
    subject: id,
    order: version,
    data: { id, object: 'v2.core.account', platform, changed },
  };
  await changes?.record(tx, change);
}

/** The members that differ. */
export function changedMembers(before: AccountState, after: AccountState): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof AccountState>;
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).toSorted();
}
