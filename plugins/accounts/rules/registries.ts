/** Rules on objects that a request refers to: payment methods, files, invoice templates, test clocks. */
import { filesOf } from '../fixtures/files.js';
import type { Rule } from './attempt.js';

/** One-time payment types, which cannot be a default. */
const NOT_DEFAULT = new Set(['card_present', 'customer_balance', 'interac_present']);

const defaultPaymentMethod: Rule = ({ operation, body, accountId, references }) => {
  const id = body.configuration?.customer?.billing?.default_payment_method;
  if (id == null) return undefined;
  const path = 'configuration.customer.billing.default_payment_method';
  const method = references.fixture('payment_method', id);
  if (method === undefined || method.detached === true)
    return {
      code: 'default_payment_method_invalid',
      message: `${path} "${id}" does not exist or is detached`,
    };
  if (NOT_DEFAULT.has(method.type ?? 'card'))
    return operation === 'create'
      ? {
          code: 'default_payment_method_invalid_type',
          message: `${path} "${id}" is of type "${method.type}", which cannot be a default`,
        }
      : {
          code: 'default_payment_method_invalid',
          message: `${path} "${id}" is of type "${method.type}", which cannot be a default`,
        };
  return operation === 'update' && method.attached_to !== accountId
    ? {
        code: 'attach_payment_method_to_customer',
        message: `${path} "${id}" is not attached to this account`,
      }
    : undefined;
};

const documents: Rule = ({ body, references }) => {
  for (const { path, id, purpose } of filesOf(body)) {
    const file = references.fixture('file', id);
    if (file === undefined || file.deleted === true)
      return { code: 'document_invalid', message: `${path} "${id}" is not a file, or it is deleted` };
    if (file.purpose !== purpose)
      return {
        code: 'document_purpose_invalid',
        message: `${path} "${id}" was uploaded for "${file.purpose}" and not for "${purpose}"`,
      };
  }
  return undefined;
};

const invoiceTemplate: Rule = ({ operation, body, references }) => {
  const id = body.configuration?.customer?.billing?.invoice?.rendering?.template;
  if (id == null) return undefined;
  const template = references.fixture('invoice_rendering_template', id);
  return template === undefined || template.archived === true
    ? {
        // The contract has the code only for new accounts.
        code: operation === 'create' ? 'invoice_rendering_template_invalid' : 'invalid_fields',
        message: `configuration.customer.billing.invoice.rendering.template "${id}" does not exist or is archived`,
      }
    : undefined;
};

const testClock: Rule = ({ body, before, platform, references, operation }) => {
  const id = body.configuration?.customer?.test_clock;
  if (id == null) return undefined;
  const path = 'configuration.customer.test_clock';
  if (platform.livemode)
    return { code: 'test_clock_disallowed_on_live_mode', message: `${path} cannot be used in live mode` };
  // Setting the same clock again is allowed.
  if (before.configuration.customer?.test_clock === id) return undefined;
  const clock = references.testClock;
  if (clock === undefined || before.configuration.customer !== undefined)
    return {
      code: 'test_clock_invalid',
      message:
        clock === undefined
          ? `${path} "${id}" does not exist`
          : `${path} can be set in the request that adds the customer alone`,
    };
  if (clock.status === 'advancing')
    return operation === 'create'
      ? {
          code: 'test_clocks_advance_in_progress',
          message: `${path} "${id}" is advancing: try again when it is ready`,
        }
      : { code: 'test_clock_invalid', message: `${path} "${id}" is advancing: try again when it is ready` };
  return clock.accounts >= clock.limit
    ? {
        code: operation === 'create' ? 'test_clocks_customer_limit_reached' : 'test_clock_invalid',
        message: `${path} "${id}" has ${clock.accounts} accounts, which is its limit`,
      }
    : undefined;
};

const clearedClock: Rule = ({ body, before }) =>
  body.configuration?.customer?.test_clock === null && before.configuration.customer?.test_clock !== undefined
    ? { code: 'test_clock_invalid', message: 'configuration.customer.test_clock cannot be cleared' }
    : undefined;

export const registryRules: readonly Rule[] = [
  defaultPaymentMethod,
  documents,
  invoiceTemplate,
  testClock,
  clearedClock,
];
