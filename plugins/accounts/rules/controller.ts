/** Rules on the account's responsibilities, and on what the platform acknowledged of its own. */
import type { Controller } from '../account/controller.js';
import { addsConnected, countryOf, type Attempt, type Rule } from './attempt.js';
import { countryRow } from '../tables/countries.js';

/** The controller if this request changes it: an existing one stays, even if it would be refused today. */
function decided({ controller, controllerBefore }: Attempt): Controller | undefined {
  if (controller === undefined || controllerBefore === undefined) return controller;
  const same = (Object.keys(controller) as (keyof Controller)[]).every(
    (key) => controller[key] === controllerBefore[key],
  );
  return same ? undefined : controller;
}

const expressWithoutLosses: Rule = (attempt) => {
  const controller = decided(attempt);
  return controller?.dashboard === 'express' &&
    (controller.fees_collector !== 'application' || controller.losses_collector !== 'application')
    ? {
        code: 'account_controller_express_dash_without_application_losses_or_fees',
        message:
          'dashboard "express" needs defaults.responsibilities with fees_collector and losses_collector "application"',
      }
    : undefined;
};

const liablePlatform: Rule = (attempt) => {
  const controller = decided(attempt);
  return controller?.losses_collector === 'application' && controller.fees_collector !== 'application'
    ? {
        code: 'account_controller_service_pricing_platform_liable',
        message:
          'defaults.responsibilities.losses_collector "application" needs fees_collector "application" as well',
      }
    : undefined;
};

const inPreview: Rule = (attempt) => {
  const controller = decided(attempt);
  return controller?.dashboard === 'full' &&
    controller.fees_collector === 'application' &&
    !attempt.platform.settings.features.private_preview
    ? {
        code: 'account_controller_unsupported_configuration_private_preview',
        message: 'dashboard "full" with fees_collector "application" is in private preview',
      }
    : undefined;
};

const unsupported: Rule = (attempt) => {
  const controller = decided(attempt);
  if (controller?.dashboard !== 'none' || controller.losses_collector === 'application') return undefined;
  const { requirements_collector, ...permutation } = controller;
  const message = 'dashboard "none" needs defaults.responsibilities.losses_collector "application"';
  return attempt.operation === 'create' && attempt.platform.settings.features.ua_beta
    ? {
        code: 'account_controller_ua_unsupported_configuration',
        message,
        extra: { invalid_permutation: { ...permutation, requirements_collector } },
      }
    : {
        code: 'account_controller_unsupported_configuration',
        message,
        extra: { invalid_permutation: permutation },
      };
};

const acknowledgements: Rule = ({ operation, controller, platform }) => {
  if (operation !== 'create' || controller === undefined) return undefined;
  const losses = controller.losses_collector === 'application' && !platform.settings.acknowledged.losses;
  const requirements =
    controller.requirements_collector === 'application' && !platform.settings.acknowledged.requirements;
  if (losses && requirements)
    return {
      code: 'account_creation_requirement_collection_and_liability_unacknowledged',
      message: 'the platform has not acknowledged that it is liable for losses and collects requirements',
    };
  if (losses)
    return {
      code: 'account_creation_liability_unacknowledged',
      message: 'the platform has not acknowledged that it is liable for losses',
    };
  return requirements
    ? {
        code: 'account_creation_requirement_collection_unacknowledged',
        message: 'the platform has not acknowledged that it collects requirements',
      }
    : undefined;
};

const dormant: Rule = (attempt) =>
  attempt.platform.settings.dormant && decided(attempt)?.requirements_collector === 'application'
    ? {
        code: 'can_create_platform_owned_onboarding_accounts_required',
        message: 'a dormant platform cannot have accounts whose requirements it collects',
      }
    : undefined;

const customAccountBeta: Rule = (attempt) => {
  const country = countryOf(attempt);
  return decided(attempt)?.requirements_collector === 'application' &&
    country !== undefined &&
    countryRow(country).custom_accounts === false
    ? {
        code: 'custom_account_beta',
        message: `accounts without a dashboard whose requirements the application collects are in beta in ${country}`,
      }
    : undefined;
};

const crossBorder: Rule = (attempt) => {
  const { country, cross_border } = attempt.platform.settings;
  const to = countryOf(attempt);
  if (!addsConnected(attempt) || cross_border === '*' || to === undefined || to === country) return undefined;
  return cross_border.some(([from, target]) => from === country && target === to)
    ? undefined
    : {
        code: 'cross_border_connected_account_creation_not_allowed',
        message: `a platform in ${country} cannot have merchants or recipients in ${to}`,
      };
};

const termsNotAccepted: Rule = ({ added, controller, after, platform }) =>
  platform.settings.require_tos_before_merchant &&
  added.includes('merchant') &&
  controller?.requirements_collector === 'application' &&
  after.identity?.attestations?.terms_of_service?.account === undefined
    ? {
        code: 'account_terms_of_service_not_accepted',
        message:
          'configuration.merchant needs identity.attestations.terms_of_service.account with date and ip',
      }
    : undefined;

const termsOnBehalf: Rule = ({ body, controller, hosted }) =>
  !hosted &&
  body.identity?.attestations?.terms_of_service?.account != null &&
  controller?.requirements_collector === 'service'
    ? {
        code: 'tos_acceptance_on_behalf_not_allowed',
        message:
          'identity.attestations.terms_of_service.account cannot be sent: the service collects the requirements and has the terms accepted',
      }
    : undefined;

export const controllerRules: readonly Rule[] = [
  expressWithoutLosses,
  liablePlatform,
  inPreview,
  unsupported,
  acknowledgements,
  dormant,
  customAccountBeta,
  crossBorder,
  termsNotAccepted,
  termsOnBehalf,
];
