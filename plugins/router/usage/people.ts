/** What is kept of a person: records of the calls, and each day's sums of them. */
import type { PeopleData } from 'plugboard/sdk';
import type { UsageStore } from './store.js';

export function peopleData(usage: UsageStore): PeopleData {
  return {
    export: ({ principals }) => usage.callsOf(new Set(principals)),
    erase: ({ principals }) => usage.forget(new Set(principals)),
  };
}
