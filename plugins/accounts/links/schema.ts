/** Request and answer of the route of account links. */
import { Type, type Static } from 'plugboard/sdk';
import { CONFIGURATIONS } from '../schema/enums.js';
import { mustOneOf } from '../schema/fields.js';

const closed = { additionalProperties: false } as const;
const time = () => Type.String({ format: 'date-time' });
const Url = (description: string) => Type.String({ minLength: 1, maxLength: 2_000, description });

const Options = Type.Object(
  {
    refresh_url: Url('where a link leads that is used or too old'),
    return_url: Type.Optional(Url('where the page leads at its end')),
    collection_options: Type.Optional(
      Type.Object(
        {
          fields: Type.Optional(mustOneOf(['currently_due', 'eventually_due'])),
          future_requirements: Type.Optional(mustOneOf(['include', 'omit'])),
        },
        closed,
      ),
    ),
    configurations: Type.Optional(
      Type.Array(mustOneOf(CONFIGURATIONS), { maxItems: 10, description: 'all that the account has' }),
    ),
  },
  closed,
);
export type LinkOptions = Static<typeof Options>;

const useCase = {
  type: mustOneOf(['account_onboarding', 'account_update']),
  account_onboarding: Type.Optional(Options),
  account_update: Type.Optional(Options),
};

export const LinkBody = Type.Object(
  { account: Type.String({ maxLength: 200 }), use_case: Type.Object(useCase, closed) },
  {
    ...closed,
    title: 'AccountLinkToMake',
    examples: [
      {
        account: 'acct_1',
        use_case: {
          type: 'account_onboarding',
          account_onboarding: {
            refresh_url: 'https://shop.example/again',
            return_url: 'https://shop.example/',
          },
        },
      },
    ],
  },
);
export type LinkBody = Static<typeof LinkBody>;

export const AccountLink = Type.Object(
  {
    object: Type.Literal('v2.core.account_link'),
    account: Type.String(),
    created: time(),
    expires_at: time(),
    livemode: Type.Boolean(),
    url: Type.String({ description: 'leads to the page once; whoever has it can fill in the account' }),
    use_case: Type.Object(useCase, closed),
  },
  { ...closed, title: 'AccountLink' },
);
