/** Rules on the settings of customers. */
import { taxLocationOf } from '../account/tax-location.js';
import type { Rule } from './attempt.js';

const shipping: Rule = ({ body, after }) => {
  if (body.configuration?.customer?.shipping == null) return undefined;
  const { name, phone, address } = after.configuration.customer?.shipping ?? {};
  const addressed = address !== undefined && Object.values(address).some((line) => line !== '');
  if (!addressed && (name !== undefined || phone !== undefined))
    return {
      code: 'shipping_address_required',
      message: 'configuration.customer.shipping.address is required with a name or a phone',
    };
  return addressed && !name
    ? {
        code: 'shipping_name_required',
        message: 'configuration.customer.shipping.name is required with an address',
      }
    : undefined;
};

const validateOnCreation: Rule = ({ body, before }) =>
  before.configuration.customer === undefined &&
  body.configuration?.customer?.automatic_indirect_tax?.validate_location != null
    ? {
        code: 'cannot_use_validate_location_on_customer_create',
        message:
          'configuration.customer.automatic_indirect_tax.validate_location cannot be sent in the request that adds the customer',
      }
    : undefined;

/** `immediately` always checks, `auto` if tax is calculated and the request changes what it depends on. */
const taxLocation: Rule = ({ body, before, after }) => {
  const customer = after.configuration.customer;
  if (before.configuration.customer === undefined || customer === undefined) return undefined;
  const sent = body.configuration?.customer;
  const mode = sent?.automatic_indirect_tax?.validate_location ?? 'auto';
  const calculated = customer.capabilities['automatic_indirect_tax']?.requested === true;
  const touched =
    sent?.automatic_indirect_tax != null || sent?.shipping !== undefined || body.identity !== undefined;
  if (mode === 'deferred' || (mode === 'auto' && !(calculated && touched))) return undefined;
  // An account whose location was already incomplete may still be updated.
  const { missing } = taxLocationOf(after);
  if (missing.length === 0 || (mode === 'auto' && taxLocationOf(before).missing.length > 0)) return undefined;
  return {
    code: 'customer_invalid_tax_location',
    message: `the tax location of configuration.customer is not complete: ${missing.join(', ')} is missing`,
    extra: {
      validate_location: mode,
      incorrect_fields: missing.map((field) => ({ field, type: 'missing' })),
    },
  };
};

export const customerRules: readonly Rule[] = [shipping, validateOnCreation, taxLocation];
