/** What summarizing answers. */
import { Type, type Static } from 'plugboard/sdk';
import { nullable } from '../base/schema.js';

const Count = Type.Integer({ minimum: 0 });

/** What would be written, and what it would stand for. */
const Plan = Type.Object({
  apiKeyId: nullable(Type.String()),
  userId: nullable(Type.String()),
  sessionId: nullable(Type.String()),
  content: Type.String(),
  standsFor: Type.Array(Type.Object({ id: Type.String(), key: Type.String(), content: Type.String() })),
});
export type Plan = Static<typeof Plan>;

/** An entry that stays as it is: the summary that a model wrote does not say what it says. */
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
  plans: Type.Optional(Type.Array(Plan, { description: 'of a dry run: the first 20' })),
});
export type Summarized = Static<typeof Summarized>;
