/** Prices in the config. */
import { Type, type Static } from 'plugboard/sdk';

/** Beyond it, sums would lose their cents. */
const MOST = 1_000_000;

/** Dollars for a million tokens. */
export const OwnPrice = Type.Object(
  {
    input: Type.Number({
      minimum: 0,
      maximum: MOST,
      description: 'dollars for a million tokens that are read',
    }),
    output: Type.Number({
      minimum: 0,
      maximum: MOST,
      default: 0,
      description: 'dollars for a million tokens that are written',
    }),
    cached: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: MOST,
        description: 'of tokens from a prompt cache; default: as input',
      }),
    ),
    cacheWritten: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: MOST,
        description: 'of tokens into a prompt cache; default: as input',
      }),
    ),
  },
  { additionalProperties: false },
);
export type OwnPrice = Static<typeof OwnPrice>;
