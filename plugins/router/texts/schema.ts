/** Which texts of calls are recorded, as the config has it. */
import { Type, type Static } from 'plugboard/sdk';

export const TextsConfig = Type.Object(
  {
    keepDays: Type.Integer({ minimum: 1, maximum: 3_650, default: 7, description: 'how long they are kept' }),
    keys: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      default: ['*'],
      maxItems: 100,
      description: 'ids or names of the API keys whose calls are recorded, * for any run of characters',
    }),
    maxCharacters: Type.Integer({
      minimum: 100,
      maximum: 1_000_000,
      default: 20_000,
      description: 'of a request, and of an answer; the rest is cut off',
    }),
  },
  {
    additionalProperties: false,
    description: 'records what is asked and answered, for administrators alone; left out, nothing is',
  },
);
export type TextSettings = Static<typeof TextsConfig>;
