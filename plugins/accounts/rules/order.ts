/** The rules in the order of the contract: the first refusal decides the code. */
import { addressRules } from './address.js';
import type { Rule } from './attempt.js';
import { capabilityRules } from './capabilities.js';
import { configurationRules } from './configurations.js';
import { contactRules } from './contact.js';
import { controllerRules } from './controller.js';
import { customerRules } from './customer.js';
import { dateRules } from './dates.js';
import { defaultsRules, payoutRules } from './defaults.js';
import { attestationRules, identityRules } from './identity.js';
import { idNumberRules } from './id-numbers.js';
import { merchantRules } from './merchant.js';
import { metadataRules } from './metadata.js';
import { personRules } from './persons.js';
import { platformRules } from './platform.js';
import { recipientRules } from './recipient.js';
import { registryRules } from './registries.js';

export const RULES: readonly Rule[] = [
  ...metadataRules,
  ...platformRules,
  ...configurationRules,
  ...controllerRules,
  ...identityRules,
  ...addressRules,
  ...idNumberRules,
  ...dateRules,
  ...attestationRules,
  ...personRules,
  ...defaultsRules,
  ...contactRules,
  ...merchantRules,
  ...customerRules,
  ...recipientRules,
  ...capabilityRules,
  ...payoutRules,
  ...registryRules,
];
