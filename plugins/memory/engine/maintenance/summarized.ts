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

export const Summarized = Type.Object({
  candidates: Count,
  tokensSaved: Count,
  dryRun: Type.Boolean(),
  plans: Type.Optional(Type.Array(Plan, { description: 'of a dry run: the first 20' })),
});
export type Summarized = Static<typeof Summarized>;
