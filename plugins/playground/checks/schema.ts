/** The checks of an answer. */
import { Type, type Static } from 'plugboard/sdk';

const Contains = Type.Object(
  {
    kind: Type.Literal('contains'),
    text: Type.String({ minLength: 1, maxLength: 1_000, description: 'in any letter case' }),
  },
  { additionalProperties: false },
);
const JsonSchema = Type.Object(
  {
    kind: Type.Literal('json_schema'),
    schema: Type.Object({}, { additionalProperties: true, description: 'the answer is JSON that fits it' }),
  },
  { additionalProperties: false },
);
const Judge = Type.Object(
  {
    kind: Type.Literal('judge'),
    model: Type.String({ minLength: 1, maxLength: 500, description: 'the model that judges the answer' }),
    question: Type.String({
      minLength: 1,
      maxLength: 2_000,
      pattern: '\\S',
      description: 'what is asked about the answer; yes passes',
    }),
  },
  { additionalProperties: false },
);
export const Check = Type.Union([Contains, JsonSchema, Judge]);
export type Check = Static<typeof Check>;
