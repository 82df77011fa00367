/** Clients of the interface that this one follows say `stripe` for our `service`: both are read, ours is stored. */
import type { AccountBody } from '../schema/bodies.js';
import { isObject } from './merge.js';

type Values = Record<string, unknown>;

/** The body with our names only. If both forms are present, ours wins. */
export function withoutAliases(body: AccountBody): AccountBody {
  const renamed = { ...body } as Values;
  if (isObject(renamed['defaults'])) renamed['defaults'] = renameResponsibilities(renamed['defaults']);
  if (isObject(renamed['configuration'])) {
    renamed['configuration'] = Object.fromEntries(
      Object.entries(renamed['configuration']).map(([name, value]) => [name, renameBalance(value)]),
    );
  }
  return renamed as AccountBody;
}

function renameResponsibilities(defaults: Values): Values {
  const { responsibilities } = defaults;
  if (!isObject(responsibilities)) return defaults;
  const service = (value: unknown) => (value === 'stripe' ? 'service' : value);
  return {
    ...defaults,
    responsibilities: Object.fromEntries(
      Object.entries(responsibilities).map(([name, value]) => [name, service(value)]),
    ),
  };
}

function renameBalance(configuration: unknown): unknown {
  if (!isObject(configuration) || !isObject(configuration['capabilities'])) return configuration;
  const { stripe_balance: alias, ...capabilities } = configuration['capabilities'] as Values;
  const balance = {
    ...(alias as Values | undefined),
    ...(capabilities['service_balance'] as Values | undefined),
  };
  if (Object.keys(balance).length === 0) return { ...configuration, capabilities };
  const { stripe_transfers: transfers, ...rest } = balance;
  const service_balance = { ...(transfers !== undefined && { service_transfers: transfers }), ...rest };
  return { ...configuration, capabilities: { ...capabilities, service_balance } };
}
