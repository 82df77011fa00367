/** Rules on the configurations of an account, and on the fields that each requires. */
import { requestedOf } from '../account/state.js';
import type { Refusal } from '../errors/errors.js';
import { CONFIGURATIONS, type ConfigurationName } from '../schema/enums.js';
import { addsConnected, countryOf, type Attempt, type Rule } from './attempt.js';
import { requiredBy } from '../tables/capabilities.js';

const notAllowed: Rule = ({ added, platform }) => {
  const name = added.find((one) => !platform.settings.allowed_configurations.includes(one));
  return name === undefined
    ? undefined
    : {
        code: 'account_configuration_not_supported',
        message: `configuration.${name} is not available to this platform`,
      };
};

const dashboardWithoutConnect: Rule = ({ operation, body }) => {
  const named = Object.keys(body.configuration ?? {});
  const misplaced =
    operation === 'create' &&
    body.dashboard != null &&
    named.length > 0 &&
    named.every((one) => one === 'customer');
  return misplaced
    ? {
        code: 'account_creation_invalid',
        message: `dashboard "${body.dashboard}" needs configuration.merchant or configuration.recipient`,
      }
    : undefined;
};

const createdUnapplied: Rule = (attempt) => {
  const { body, before, platform, after } = attempt;
  const name = CONFIGURATIONS.find(
    (one) => before.configuration[one] === undefined && body.configuration?.[one]?.applied === false,
  );
  if (name !== undefined)
    return {
      code: 'configuration_creation_invalid',
      message: `configuration.${name}.applied cannot be false at first`,
    };
  return platform.settings.require_contact_email &&
    addsConnected(attempt) &&
    after.contact_email === undefined
    ? {
        code: 'configuration_creation_invalid',
        message: `configuration.${attempt.added.find((one) => one !== 'customer')} needs a contact_email`,
      }
    : undefined;
};

const responsibilitiesWithoutConnect: Rule = ({ body, controller }) =>
  body.defaults?.responsibilities != null && controller === undefined
    ? {
        code: 'unsupported_field_for_configs',
        message: 'defaults.responsibilities needs configuration.merchant or configuration.recipient',
      }
    : undefined;

/** The identity fields of an account that is only a customer. */
const CUSTOMER_FIELDS: Readonly<Record<string, readonly string[] | true>> = {
  country: true,
  entity_type: true,
  business_details: ['registered_name', 'address', 'phone', 'id_numbers', 'structure'],
  individual: ['given_name', 'surname', 'address', 'phone'],
};

const identityOfCustomer: Rule = ({ applied, body }) => {
  if (applied.length !== 1 || applied[0] !== 'customer') return undefined;
  for (const [name, value] of Object.entries(body.identity ?? {})) {
    if (value === null) continue;
    const known = CUSTOMER_FIELDS[name];
    if (known === true) continue;
    const inner = Object.entries(value as object).find(
      ([field, given]) => given !== null && known?.includes(field) !== true,
    );
    if (inner === undefined && known !== undefined) continue;
    return {
      code: 'unsupported_identity_field_for_configs',
      message: `identity.${name}${inner === undefined ? '' : `.${inner[0]}`} is not available to an account that is only a customer`,
    };
  }
  return undefined;
};

const changedWhileDeactivated: Rule = ({ before, body }) => {
  const name = CONFIGURATIONS.find((one) => {
    const patch = body.configuration?.[one];
    const { applied, ...changes } = patch ?? {};
    return before.configuration[one]?.applied === null && applied !== true && Object.keys(changes).length > 0;
  });
  return name === undefined
    ? undefined
    : {
        code: 'configuration_cannot_be_updated_while_deactivated',
        message: `configuration.${name} is deactivated: send applied: true with the change`,
      };
};

const deactivation: Rule = (attempt) => {
  for (const name of CONFIGURATIONS) {
    const stops =
      attempt.before.configuration[name]?.applied != null &&
      attempt.after.configuration[name]?.applied === null;
    const refusal = stops ? refuseDeactivation(name, attempt) : undefined;
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};

function refuseDeactivation(name: ConfigurationName, attempt: Attempt): Refusal | undefined {
  const { after, applied, platform } = attempt;
  const dependent = applied.find((one) => platform.settings.configuration_dependencies[one]?.includes(name));
  if (dependent !== undefined)
    return {
      code: 'configuration_cannot_be_deactivated_due_to_other_configuration',
      message: `configuration.${name} cannot be deactivated: configuration.${dependent} depends on it`,
    };
  const needing = requestedOf(after).find(({ name: capability }) =>
    requiredBy(capability, countryOf(attempt)).some((required) => required.startsWith(`${name}.`)),
  );
  if (needing !== undefined)
    return {
      code: 'configuration_cannot_be_deactivated_due_to_other_capability_requirement',
      message: `configuration.${name} cannot be deactivated: ${needing.name} needs a capability of it`,
    };
  return applied.length === 0
    ? {
        code: 'configuration_cannot_be_deactivated',
        message: `configuration.${name} is the last applied configuration and cannot be deactivated`,
      }
    : undefined;
}

export const configurationRules: readonly Rule[] = [
  notAllowed,
  dashboardWithoutConnect,
  createdUnapplied,
  responsibilitiesWithoutConnect,
  identityOfCustomer,
  changedWhileDeactivated,
  deactivation,
];
