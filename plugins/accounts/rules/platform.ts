/** Rules on the platform's set-up and permissions. */
import { addsConnected, type Attempt, type Rule } from './attempt.js';

const tokenRequired: Rule = ({ platform, body, byToken, hosted }) => {
  const { country, token_mandated_countries } = platform.settings;
  if (byToken || hosted || !token_mandated_countries.includes(country)) return undefined;
  const { country: _, entity_type: _type, ...details } = body.identity ?? {};
  const [detail] = Object.keys(details);
  return detail === undefined
    ? undefined
    : {
        code: 'account_token_required',
        message: `identity.${detail} must arrive by account_token: platforms in ${country} send identities by token`,
      };
};

const registrationRequired: Rule = (attempt) => {
  if (attempt.platform.settings.connect === 'onboarded') return undefined;
  const what = addsConnected(attempt)
    ? `configuration.${attempt.added.find((name) => name !== 'customer')}`
    : attempt.body.dashboard != null
      ? 'dashboard'
      : undefined;
  return what === undefined
    ? undefined
    : {
        code: 'platform_registration_required',
        message: `${what} needs a platform that is onboarded to Connect`,
      };
};

/** What a platform must do before it creates merchants and recipients, in the order of the checks. */
const GATES = [
  {
    code: 'cannot_create_new_account_rejected',
    closed: ({ status }) => status === 'rejected',
    message: 'the platform was rejected and cannot create merchants or recipients',
  },
  {
    code: 'cannot_create_connected_account',
    closed: ({ status }) => status === 'invalid',
    message: 'the platform is not valid and cannot create merchants or recipients',
  },
  {
    code: 'account_create_activation_required',
    closed: ({ activated }) => !activated,
    message: 'activate the platform before creating merchants or recipients',
  },
  {
    code: 'connect_identity_not_verified',
    closed: ({ identity_verified }) => !identity_verified,
    message: 'verify the identity of the platform before creating merchants or recipients',
  },
  {
    code: 'connect_profile_not_submitted',
    closed: ({ profile_submitted }) => !profile_submitted,
    message: 'submit the profile of the platform before creating merchants or recipients',
  },
] as const satisfies readonly {
  code: string;
  closed: (settings: Attempt['platform']['settings']) => boolean;
  message: string;
}[];

const gates: Rule = (attempt) => {
  if (attempt.operation !== 'create' || !addsConnected(attempt)) return undefined;
  const gate = GATES.find(({ closed }) => closed(attempt.platform.settings));
  return gate === undefined ? undefined : { code: gate.code, message: gate.message };
};

export const platformRules: readonly Rule[] = [tokenRequired, registrationRequired, gates];
