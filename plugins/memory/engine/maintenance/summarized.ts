/** The result of summarizing. */
import { Type, type Static } from 'plugboard/sdk';
import { nullable } from '../base/schema.js';

const Count = Type.Integer({ minimum: 0 });

/** What would be written, and which entries it would stand for. */
const Plan = Type.Object({
  apiKeyId: nullable(Type.String()),
  userId: nullable(Type.String()),
  sessionId: nullable(Type.String()),
  content: Type.String(),
  standsFor: Type.Array(Type.Object({ id: Type.String(), key: Type.String(), content: Type.String() })),
});
export type Plan = Static<typeof Plan>;

/** An entry that is kept because the model's summary does not cover it. */
const Refused = Type.Object({
  id: Type.String(),
  key: Type.String(),
  reason: Type.String({ description: 'a code, a colon and what is missing: `number_missing: 42`' }),
});
export type Refused = Static<typeof Refused>;

export const Summarized = Type.Object({
  candidates: Count,
  tokensSaved: Count,
  dryRun: Type.Boolean(),
  refused: Type.Optional(Count),
  refusals: Type.Optional(Type.Array(Refused, { description: 'the first 20 of the refused' })),
  plans: Type.Optional(Type.Array(Plan, { description: 'the first 20; only with `dryRun`' })),
});
export type Summarized = Static<typeof Summarized>;
