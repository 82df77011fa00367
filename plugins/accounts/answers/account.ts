/** The answer for an account. */
import { nestCapabilities } from '../account/capability-names.js';
import { controllerOf } from '../account/controller.js';
import { appliedOf, type AccountState, type Configuration } from '../account/state.js';
import { taxLocationOf } from '../account/tax-location.js';
import { assess, type Assessment } from '../requirements/engine.js';
import { CONFIGURATIONS, type ConfigurationName, type Include } from '../schema/enums.js';
import { complete } from './complete.js';
import { futureRequirements, requirements } from './requirements.js';
import { requestPart } from './schema.js';

export interface Shown {
  readonly id: string;
  readonly createdAt: Date;
  readonly closed: boolean;
  readonly livemode: boolean;
  readonly state: AccountState;
  /** Epoch milliseconds, by the account's test clock if it has one. */
  readonly now: number;
}

/** Depends only on the merged state and the time: every route answers an account the same way. */
export function accountAnswer(shown: Shown, include: readonly Include[]): Record<string, unknown> {
  const { id, createdAt, closed, livemode, state } = shown;
  const wanted = new Set(include);
  const needsAssessment = include.some(
    (one) => one.startsWith('configuration') || one.endsWith('requirements'),
  );
  const assessment = needsAssessment ? assess(state, shown.now) : undefined;
  return {
    id,
    object: 'v2.core.account',
    applied_configurations: appliedOf(state),
    closed,
    configuration: configurations(shown, wanted, assessment),
    contact_email: state.contact_email ?? null,
    contact_phone: state.contact_phone ?? null,
    created: createdAt.toISOString(),
    dashboard: controllerOf(state)?.dashboard ?? state.dashboard ?? null,
    defaults: wanted.has('defaults') ? defaults(state) : null,
    display_name: state.display_name ?? null,
    future_requirements:
      wanted.has('future_requirements') && assessment ? futureRequirements(assessment.future) : null,
    identity: wanted.has('identity') ? complete(requestPart('identity'), state.identity) : null,
    livemode,
    metadata: state.metadata,
    requirements: wanted.has('requirements') && assessment ? requirements(assessment.entries) : null,
  };
}

function configurations(
  shown: Shown,
  wanted: ReadonlySet<Include>,
  assessment: Assessment | undefined,
): unknown {
  const names = CONFIGURATIONS.filter((name) => wanted.has(`configuration.${name}`));
  if (names.length === 0 || assessment === undefined) return null;
  return Object.fromEntries(
    CONFIGURATIONS.map((name) => [
      name,
      names.includes(name) ? configuration(shown, name, assessment) : null,
    ]),
  );
}

function configuration(shown: Shown, name: ConfigurationName, assessment: Assessment): unknown {
  const stored = shown.state.configuration[name];
  if (stored === undefined) return null;
  const { applied, capabilities: _, ...settings } = stored;
  const {
    applied: _applied,
    capabilities: _capabilities,
    ...completed
  } = complete(requestPart('configuration', name), settings) as Record<string, unknown>;
  return {
    applied,
    capabilities: capabilities(name, assessment),
    ...completed,
    ...(name === 'customer' && customer(shown, stored as Configuration<'customer'>)),
    ...(name === 'merchant' && merchant(stored as Configuration<'merchant'>)),
  };
}

/** The requested capabilities, with their status. */
function capabilities(name: ConfigurationName, assessment: Assessment): unknown {
  const own = [...assessment.capabilities].filter(([capability]) => capability.startsWith(`${name}.`));
  if (own.length === 0) return null;
  return nestCapabilities(
    Object.fromEntries(own.map(([capability, status]) => [capability.slice(name.length + 1), status])),
  );
}

function customer({ id, state }: Shown, stored: Configuration<'customer'>): object {
  const tax = stored.automatic_indirect_tax;
  const invoice = stored.billing?.invoice;
  const { country, state: region } = taxLocationOf(state);
  return {
    automatic_indirect_tax: {
      exempt: tax?.exempt ?? 'none',
      ip_address: tax?.ip_address ?? null,
      location: country === undefined ? null : { country, state: region ?? null },
      location_source: tax?.location_source ?? 'identity_address',
    },
    billing: {
      default_payment_method: stored.billing?.default_payment_method ?? null,
      invoice: {
        custom_fields: invoice?.custom_fields ?? [],
        footer: invoice?.footer ?? null,
        next_sequence: invoice?.next_sequence ?? 1,
        prefix: invoice?.prefix ?? prefixOf(id),
        rendering: complete(
          requestPart('configuration', 'customer', 'billing', 'invoice', 'rendering'),
          invoice?.rendering,
        ),
      },
    },
  };
}

/** Default: eight letters and digits of the id. */
function prefixOf(id: string): string {
  return id.slice(-8).toUpperCase();
}

function merchant(stored: Configuration<'merchant'>): object {
  const bacs = stored.bacs_debit_payments;
  const decline = stored.card_payments?.decline_on;
  return {
    bacs_debit_payments:
      bacs === undefined ? null : { display_name: bacs.display_name ?? null, service_user_number: null },
    card_payments: {
      decline_on: { avs_failure: decline?.avs_failure ?? false, cvc_failure: decline?.cvc_failure ?? false },
    },
  };
}

function defaults(state: AccountState): unknown {
  const controller = controllerOf(state);
  const completed = complete(requestPart('defaults'), state.defaults ?? {}) as Record<string, unknown>;
  return {
    ...completed,
    responsibilities:
      controller === undefined
        ? null
        : {
            fees_collector: controller.fees_collector,
            losses_collector: controller.losses_collector,
            requirements_collector: controller.requirements_collector,
          },
  };
}
