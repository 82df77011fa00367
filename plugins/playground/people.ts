/** What is kept of a person: the presets. */
import type { PeopleData } from 'plugboard/sdk';
import type { Presets } from './presets.js';

export function peopleData(presets: Presets): PeopleData {
  return {
    async *export({ principals }) {
      for (const owner of principals) yield* (await presets.list(owner)).presets;
    },
    erase: ({ principals }) => presets.deleteOf(principals),
  };
}
