/** From an administrator's input to the person, with every name under which plugins keep data. */
import type { Account, Directory, Person } from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { ApiKeys } from '../keys/api-keys.js';

/** A login, or `ISSUER|SUBJECT` of a person known only by tokens. Throws `person_unknown`. */
export async function findPerson(
  name: string,
  parts: {
    readonly directory: Directory;
    readonly keys: Pick<ApiKeys, 'madeBy'>;
    readonly issuers: readonly string[];
  },
): Promise<Person> {
  const bar = name.indexOf('|');
  if (bar === -1) {
    const account = await parts.directory.byLogin(name);
    if (account === null) throw errors.person_unknown({ values: { name } });
    return personOf(account, parts.keys);
  }
  const [issuer, subject] = [name.slice(0, bar), name.slice(bar + 1)];
  if (!parts.issuers.includes(issuer) || subject === '') throw errors.person_unknown({ values: { name } });
  return { principals: [`person:${name}`], userId: name };
}

export async function personOf({ id }: Pick<Account, 'id'>, keys: Pick<ApiKeys, 'madeBy'>): Promise<Person> {
  const own = await keys.madeBy(id);
  return { id, principals: [`user:${id}`, ...own] };
}
