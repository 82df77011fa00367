/** Data kept about a person: presets with their versions and examples, and the answers of their runs. */
import type { PeopleData } from 'plugboard/sdk';
import type { Examples } from './examples/examples.js';
import type { Presets } from './presets.js';
import type { Runs } from './runs/runs.js';
import type { Versions } from './versions/versions.js';

export interface Kept {
  readonly presets: Presets;
  readonly versions: Versions;
  readonly examples: Examples;
  readonly runs: Runs;
}

export function peopleData({ presets, versions, examples, runs }: Kept): PeopleData {
  return {
    async *export({ principals }) {
      for (const owner of principals) {
        for (const preset of (await presets.list(owner)).presets)
          yield {
            ...preset,
            versions: await versions.list(owner, preset.id),
            examples: await examples.get(owner, preset.id),
          };
        yield* runs.all(owner);
      }
    },
    async erase({ principals }) {
      const erased = await Promise.all([
        presets.deleteOf(principals),
        versions.erase(principals),
        examples.erase(principals),
        runs.erase(principals),
      ]);
      return erased.reduce((sum, count) => sum + count, 0);
    },
  };
}
