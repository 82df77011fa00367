/** Routes of the accounts interface that this server lacks: an error that the SDKs throw. */
import type { Clients } from 'plugboard/sdk';
import { errors } from '../errors/errors.js';

/** First path segments of version 1 with a successor here. */
const INSTEAD: Readonly<Record<string, string>> = {
  account_links: '/v2/core/account_links',
  accounts: '/v2/core/accounts',
  customers: '/v2/core/accounts with configuration.customer',
  tokens: '/v2/core/account_tokens or /v2/core/accounts/{id}/person_tokens',
  events: '/v2/core/events',
  webhook_endpoints: '/v2/core/event_destinations',
  test_helpers: '/v2/test_helpers/test_clocks',
};

export const clients: Clients = {
  recognise: (headers) =>
    ['stripe-version', 'service-version', 'x-stripe-client-user-agent'].some((name) => name in headers) ||
    headers['user-agent']?.startsWith('Stripe/') === true,
  unknownRoute({ method, path }) {
    const [version, resource = ''] = path.split('/').slice(1);
    const known = version === 'v1' && Object.hasOwn(INSTEAD, resource) ? INSTEAD[resource] : undefined;
    const instead =
      known === undefined ? 'this server has accounts, under /v2/core/accounts' : `call ${known} instead`;
    return errors.unknown_route({ values: { method, path, instead } });
  },
};
