/** The config of the audit log. */
import { Type, type Static } from 'plugboard/sdk';

const strict = { additionalProperties: false } as const;

const CopyConfig = Type.Object(
  {
    file: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'A file that each record is appended to, one JSON document a line.',
      }),
    ),
    url: Type.Optional(
      Type.String({
        format: 'uri',
        secret: true,
        description: 'A webhook that gets the records, as lines of JSON.',
      }),
    ),
    required: Type.Boolean({
      default: false,
      description: 'Refuse a change with 503 when its record cannot be copied.',
    }),
  },
  { ...strict, description: 'Copies of the records outside the store.' },
);
export type CopyConfig = Static<typeof CopyConfig>;

export const Config = Type.Object(
  {
    keepDays: Type.Integer({
      default: 400,
      minimum: 1,
      maximum: 36_500,
      description: 'Days after which records are removed.',
    }),
    copy: Type.Optional(CopyConfig),
  },
  strict,
);
