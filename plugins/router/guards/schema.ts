/** The guards of the config. */
import { Type, type Static } from 'plugboard/sdk';

const Pattern = Type.Object(
  {
    pattern: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'a regular expression of RE2, which takes linear time; (?i) in front ignores case',
    }),
    in: Type.Array(Type.Union([Type.Literal('request'), Type.Literal('answer')]), {
      default: ['request', 'answer'],
      minItems: 1,
      uniqueItems: true,
      description: 'what it is looked for in',
    }),
    action: Type.Union([Type.Literal('refuse'), Type.Literal('redact')], {
      default: 'refuse',
      description: 'refuse: the call ends with guard_refused; redact: the match is replaced',
    }),
    replacement: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'the replacement of a match; default: the name in brackets',
      }),
    ),
  },
  { additionalProperties: false },
);

export const GuardsConfig = Type.Object(
  {
    patterns: Type.Record(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' }), Pattern, {
      default: {},
      maxProperties: 50,
      description: 'patterns that requests and answers must not have, by name',
    }),
    window: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 200,
      description:
        'characters of the longest match that is found for certain; so many of a stream are held back where a pattern looks at answers',
    }),
    maxCharacters: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'characters that the messages of a request may have; default: 200,000 where patterns look at requests, else as many as maxBodyBytes lets in',
      }),
    ),
  },
  { additionalProperties: false, default: {}, description: 'what may be asked and answered' },
);
export type GuardSettings = Static<typeof GuardsConfig>;
