/** Requests and answers of the routes of persons. */
import { Type, type Static, type TSchema } from 'plugboard/sdk';
import { completeSchema } from '../answers/complete.js';
import { flag, group } from '../schema/fields.js';
import { acceptance, humanFields, relationshipFields } from '../schema/identity.js';

const closed = { additionalProperties: false } as const;
const time = () => Type.String({ format: 'date-time' });

/** An address may lack a country here: the rules have their own code for that. */
const fields = {
  ...humanFields('update'),
  additional_terms_of_service: group({ account: acceptance() }),
  relationship: group({
    ...relationshipFields(),
    authorizer: flag(),
    legal_guardian: flag(),
    representative: flag(),
  }),
};

/** The fields only: as stored, and as answered. */
export const PersonFields = Type.Object(fields, closed);

const EXAMPLE = {
  given_name: 'Kim',
  surname: 'Jones',
  relationship: { representative: true, title: 'Director' },
};

export const PersonBody = Type.Object(
  { ...fields, person_token: Type.Optional(Type.String({ maxLength: 500 })) },
  { ...closed, title: 'AccountPersonFields', examples: [EXAMPLE] },
);
export type PersonBody = Static<typeof PersonBody>;

export const PersonTokenBody = Type.Object(fields, {
  ...closed,
  title: 'AccountPersonTokenFields',
  examples: [EXAMPLE],
});

export const PersonList = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    page: Type.Optional(Type.String({ maxLength: 500, description: 'from next_page_url' })),
  },
  closed,
);

export const PersonId = Type.Object({ id: Type.String(), person: Type.String() });
export const PersonTokenId = Type.Object({ id: Type.String(), token: Type.String() });

const answered = (completeSchema(PersonFields) as unknown as { properties: Record<string, TSchema> })
  .properties;

export const Person = Type.Object(
  {
    ...answered,
    id: Type.String(),
    object: Type.Literal('v2.core.account_person'),
    account: Type.String(),
    created: time(),
    livemode: Type.Boolean(),
    metadata: Type.Record(Type.String(), Type.String()),
    updated: time(),
  },
  { ...closed, title: 'AccountPerson' },
);

const url = Type.Union([Type.String(), Type.Null()]);

export const Persons = Type.Object(
  { data: Type.Array(Person), next_page_url: url, previous_page_url: Type.Null() },
  closed,
);

export const DeletedPerson = Type.Object(
  { id: Type.String(), object: Type.Literal('v2.core.account_person'), deleted: Type.Boolean() },
  closed,
);

export const PersonToken = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('v2.core.account_person_token'),
    created: time(),
    expires_at: time(),
    livemode: Type.Boolean(),
    used: Type.Boolean(),
  },
  { ...closed, title: 'AccountPersonToken' },
);
