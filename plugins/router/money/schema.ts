/** Prices in the config. */
import { Type, type Static } from 'plugboard/sdk';

/** Dollars for a million tokens. */
export const OwnPrice = Type.Object(
  {
    input: Type.Number({ minimum: 0, description: 'dollars for a million tokens that are read' }),
    output: Type.Number({
      minimum: 0,
      default: 0,
      description: 'dollars for a million tokens that are written',
    }),
    cached: Type.Optional(
      Type.Number({ minimum: 0, description: 'of tokens from a prompt cache; default: as input' }),
    ),
    cacheWritten: Type.Optional(
      Type.Number({ minimum: 0, description: 'of tokens into a prompt cache; default: as input' }),
    ),
  },
  { additionalProperties: false },
);
export type OwnPrice = Static<typeof OwnPrice>;
