/** What is kept of a person: records of the calls, and each day's sums of them. */
import type { PeopleData } from 'plugboard/sdk';
import type { UsageLedger } from './ledger.js';
import type { UsageStore } from './store.js';

/** Records that wait for their batch are stored first: an erasure would miss them, and they came after it. */
export function peopleData(usage: UsageStore, ledger: UsageLedger): PeopleData {
  return {
    async *export({ principals }) {
      await ledger.flush();
      yield* usage.callsOf(new Set(principals));
    },
    async erase({ principals }) {
      await ledger.flush();
      return usage.forget(new Set(principals));
    },
  };
}
