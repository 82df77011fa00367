/** What is kept of a person: how much was spoken in each month. */
import type { PeopleData } from 'plugboard/sdk';
import type { Allowance } from './allowance/allowance.js';

export function peopleData(allowance: Allowance): PeopleData {
  return {
    export: ({ principals }) => allowance.monthsOf(principals),
    erase: ({ principals }) => allowance.forget(principals),
  };
}
