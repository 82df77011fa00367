/** Rules on the capabilities that a request asks for or gives up. */
import { requestedOf } from '../account/state.js';
import type { Refusal } from '../errors/errors.js';
import { countryOf, type Attempt, type Rule } from './attempt.js';
import { capabilityRow, requiredBy } from '../tables/capabilities.js';

/** Judges one capability, e.g. `merchant.card_payments`, that the request asks for. */
type CapabilityRule = (name: string, attempt: Attempt) => Refusal | undefined;

const supported: CapabilityRule = (name) =>
  capabilityRow(name).available === false
    ? { code: 'account_capability_not_supported', message: `${path(name)} is not supported` }
    : undefined;

const inCountry: CapabilityRule = (name, attempt) => {
  const country = countryOf(attempt);
  const { countries } = capabilityRow(name);
  return country === undefined || countries === undefined || countries.includes(country)
    ? undefined
    : {
        code: 'capability_not_available_in_country',
        message: `${path(name)} is not available in ${country}`,
      };
};

const inPlatformCountry: CapabilityRule = (name, { platform }) => {
  const { country } = platform.settings;
  const countries = capabilityRow(name).platform_countries;
  return countries === undefined || countries.includes(country)
    ? undefined
    : {
        code: 'capability_not_available_in_platform_country',
        message: `${path(name)} is not available to platforms in ${country}`,
      };
};

const forEntity: CapabilityRule = (name, attempt) => {
  const country = countryOf(attempt);
  const type = attempt.after.identity?.entity_type;
  if (country === undefined || type === undefined) return undefined;
  return capabilityRow(name).entity_types_excluded?.[country]?.includes(type)
    ? {
        code: 'capability_not_available_for_entity_type_in_country',
        message: `${path(name)} is not available to identity.entity_type "${type}" in ${country}`,
      }
    : undefined;
};

const forDashboard: CapabilityRule = (name, { controller }) => {
  const { dashboards } = capabilityRow(name);
  return controller === undefined || dashboards === undefined || dashboards.includes(controller.dashboard)
    ? undefined
    : {
        code: 'capability_not_available_for_dashboard_type',
        message: `${path(name)} is not available with dashboard "${controller.dashboard}"`,
      };
};

const forLossCollector: CapabilityRule = (name, { controller }) => {
  const collector = capabilityRow(name).requires_losses_collector;
  return collector === undefined || controller?.losses_collector === collector
    ? undefined
    : {
        code: 'capability_not_available_for_loss_collector',
        message: `${path(name)} needs defaults.responsibilities.losses_collector "${collector}"`,
      };
};

const withOthers: CapabilityRule = (name, attempt) => {
  const country = countryOf(attempt);
  const required = requiredBy(name, country);
  if (required.length === 0) return undefined;
  const there = new Set(requestedOf(attempt.after).map((one) => one.name));
  const missing = required.find((one) => !there.has(one));
  if (missing === undefined) return undefined;
  return capabilityRow(name).requires?.includes(missing)
    ? {
        code: 'capability_not_available_without_other_capability',
        message: `${path(name)} needs ${path(missing)}`,
      }
    : {
        code: 'capability_not_available_without_other_capability_in_country',
        message: `${path(name)} needs ${path(missing)} in ${country}`,
      };
};

const RULES: readonly CapabilityRule[] = [
  supported,
  inCountry,
  inPlatformCountry,
  forEntity,
  forDashboard,
  forLossCollector,
];

function path(name: string): string {
  const [configuration, ...rest] = name.split('.');
  return `configuration.${configuration}.capabilities.${rest.join('.')}`;
}

/** One rule on all capabilities before the next rule. */
const requested: Rule = (attempt) => {
  for (const rule of RULES) {
    for (const { name, wanted } of attempt.asked) {
      const refusal = wanted ? rule(name, attempt) : undefined;
      if (refusal !== undefined) return refusal;
    }
  }
  return undefined;
};

/** Given up in this request, but needed by another one. */
const givenUp: Rule = (attempt) => {
  const gone = new Set(attempt.asked.flatMap(({ name, wanted }) => (wanted ? [] : [name])));
  const country = countryOf(attempt);
  for (const { name } of gone.size === 0 ? [] : requestedOf(attempt.after)) {
    const needed = requiredBy(name, country).find((required) => gone.has(required));
    if (needed !== undefined)
      return {
        code: 'capability_cannot_be_unrequested_due_to_other_capability_requirement',
        message: `${path(needed)} cannot be given up: ${path(name)} needs it`,
      };
  }
  return undefined;
};

const dependencies: Rule = (attempt) => {
  for (const { name, wanted } of attempt.asked) {
    const refusal = wanted ? withOthers(name, attempt) : undefined;
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};

export const capabilityRules: readonly Rule[] = [requested, givenUp, dependencies];
