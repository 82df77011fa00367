/** Examples of a preset: the variables of its prompt, and the checks of an answer. */
import { Type, type Static } from 'plugboard/sdk';
import { Check } from '../checks/schema.js';

export const MAX_VALUE = 50_000;
const MOST_EXAMPLES = 100;
const MOST_CHECKS = 5;

export const Variables = Type.Record(
  Type.String({ minLength: 1, maxLength: 64 }),
  Type.String({ maxLength: MAX_VALUE }),
  { maxProperties: 50, description: 'the text that replaces each name in double braces' },
);

export const Example = Type.Object({
  variables: Variables,
  checks: Type.Array(Check, { maxItems: MOST_CHECKS, default: [] }),
});
export type Example = Static<typeof Example>;

export const ExampleSet = Type.Object(
  { examples: Type.Array(Example, { maxItems: MOST_EXAMPLES }) },
  {
    title: 'PresetExamples',
    examples: [
      { examples: [{ variables: { country: 'Korea' }, checks: [{ kind: 'contains', text: 'Seoul' }] }] },
    ],
  },
);
