/** Fixtures from the config and from test helpers, each stored where it is looked up. */
import { Refused } from '../errors/errors.js';
import type { Fixtures } from '../fixtures/fixtures.js';
import type { FixtureData } from '../schema/fixture.js';
import type { AccountTokens } from '../tokens/account-tokens.js';

interface Places {
  readonly fixtures: Fixtures;
  readonly tokens: AccountTokens;
}

/** Required members of each kind. */
const REQUIRED: Readonly<Partial<Record<FixtureData['kind'], keyof FixtureData>>> = {
  file: 'purpose',
  person: 'account',
};

export async function putFixture(
  { fixtures, tokens }: Places,
  platform: string,
  fixture: FixtureData,
): Promise<void> {
  const required = REQUIRED[fixture.kind];
  if (required !== undefined && fixture[required] === undefined)
    throw new Refused({ code: 'invalid_fields', message: `${required} is required of a ${fixture.kind}` });
  if (fixture.expires_at !== undefined && Number.isNaN(Date.parse(fixture.expires_at)))
    throw new Refused({ code: 'invalid_fields', message: 'expires_at is not a time' });
  if (fixture.kind === 'account_token') return tokens.put(platform, fixture);
  return fixtures.put(platform, fixture);
}
