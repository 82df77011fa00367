/** Why an id has no account: it may be of version 1 of the interface. */
import { Refused } from '../errors/errors.js';
import type { Fixtures } from '../fixtures/fixtures.js';

/** Longer ids do not exist. */
const MAX_ID = 200;

export async function notFound(fixtures: Fixtures, platform: string, id: string): Promise<Refused> {
  const named = id.slice(0, MAX_ID);
  if (id.startsWith('cus_'))
    return new Refused({
      code: 'v1_customer_instead_of_v2_account',
      message: `"${named}" is a customer of the first version, not an account`,
    });
  const old = id.length <= MAX_ID ? await fixtures.get(platform, 'v1_account', id) : undefined;
  if (old === undefined) return new Refused({ code: 'not_found', message: `there is no account "${named}"` });
  return new Refused(
    old.migratable === true
      ? {
          code: 'account_not_yet_compatible_with_v2',
          message: `"${named}" is an account of the first version that is not migrated yet`,
        }
      : {
          code: 'v1_account_instead_of_v2_account',
          message: `"${named}" is an account of the first version`,
        },
  );
}
