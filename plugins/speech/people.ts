/** Data kept about a person: seconds spoken per month, costs of their streams, their pronunciations. */
import type { PeopleData } from 'plugboard/sdk';
import type { Allowance } from './allowance/allowance.js';
import type { Calls } from './allowance/calls.js';
import type { Pronunciations } from './pronunciations/pronunciations.js';

export interface KeptOfPeople {
  readonly allowance: Allowance;
  readonly calls: Calls;
  readonly pronunciations: Pronunciations;
}

export function peopleData({ allowance, calls, pronunciations }: KeptOfPeople): PeopleData {
  return {
    async *export({ principals }) {
      yield* allowance.monthsOf(principals);
      for (const owner of principals) yield* await pronunciations.list(owner);
    },
    erase: async ({ principals }) => {
      const erased = [
        await allowance.forget(principals),
        await calls.forget(principals),
        await pronunciations.forget(principals),
      ];
      return erased.reduce((sum, count) => sum + count, 0);
    },
  };
}
