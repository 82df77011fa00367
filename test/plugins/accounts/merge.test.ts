/** The laws of the merge, on generated bodies. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { mergeAccount } from '../../../plugins/accounts/account/merge.js';
import { EMPTY, type AccountState } from '../../../plugins/accounts/account/state.js';
import { accountAnswer } from '../../../plugins/accounts/answers/account.js';
import { Account } from '../../../plugins/accounts/answers/schema.js';
import { assess } from '../../../plugins/accounts/requirements/engine.js';
import { UpdateBody, type AccountBody } from '../../../plugins/accounts/schema/bodies.js';
import { INCLUDES } from '../../../plugins/accounts/schema/enums.js';
import { fitting, type JsonSchema } from '../../support/openapi/schema-arbitrary.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const LATER = new Date('2026-06-01T00:00:00Z');
const RUNS = { numRuns: 150 };

const metadata = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.option(fc.string({ maxLength: 5 }), { nil: null }),
  { maxKeys: 4, noNullPrototype: true },
);

/** The generator does not know of the names and values of maps. */
const body = fc.tuple(fitting(UpdateBody as unknown as JsonSchema), metadata).map(([value, map]) => {
  const made = JSON.parse(JSON.stringify(value)) as AccountBody;
  if (made.metadata !== undefined) made.metadata = map;
  if (made.identity?.individual?.metadata != null) made.identity.individual.metadata = map;
  if (made.defaults?.payout_methods != null) made.defaults.payout_methods = { usd: 'usba_1', eur: null };
  return made;
});
const state = fc
  .array(body, { maxLength: 4 })
  .map((bodies) => bodies.reduce((merged, one) => mergeAccount(merged, one, NOW), EMPTY));

test('an empty update changes nothing', () => {
  fc.assert(
    fc.property(state, (before) => assert.deepEqual(mergeAccount(before, {}, LATER), before)),
    RUNS,
  );
});

test('the same update twice is the update once, whenever it comes', () => {
  fc.assert(
    fc.property(state, body, (before, update) => {
      const once = mergeAccount(before, update, NOW);
      assert.deepEqual(mergeAccount(once, update, LATER), once);
    }),
    RUNS,
  );
});

test('null clears, and what is not named stays', () => {
  fc.assert(
    fc.property(
      state,
      fc.constantFrom('contact_email', 'display_name', 'identity', 'defaults'),
      (before, name) => {
        const after = mergeAccount(before, { [name]: null }, NOW) as unknown as Record<string, unknown>;
        assert.ok(!(name in after));
        const { [name as keyof AccountState]: _, ...rest } = before;
        assert.deepEqual(after, rest);
      },
    ),
    RUNS,
  );
});

test('the merge changes neither of what it is given', () => {
  fc.assert(
    fc.property(state, body, (before, update) => {
      const copies = structuredClone([before, update]);
      mergeAccount(before, update, NOW);
      assert.deepEqual([before, update], copies);
    }),
    RUNS,
  );
});

test('whatever is merged, the answer matches its schema', () => {
  const validate = addFormats.default(new Ajv({ strict: false })).compile(Account);
  fc.assert(
    fc.property(state, fc.subarray([...INCLUDES]), (merged, include) => {
      const shown = {
        id: 'acct_x',
        createdAt: NOW,
        closed: false,
        livemode: false,
        state: merged,
        now: LATER.getTime(),
      };
      const answer: unknown = JSON.parse(JSON.stringify(accountAnswer(shown, include)));
      assert.ok(validate(answer), JSON.stringify(validate.errors));
    }),
    RUNS,
  );
});

test('requirements follow from the account and the time alone', () => {
  fc.assert(
    fc.property(state, (merged) => {
      const stored = JSON.parse(JSON.stringify(merged)) as AccountState;
      assert.deepEqual(assess(stored, LATER.getTime()), assess(merged, LATER.getTime()));
    }),
    RUNS,
  );
});

test('filling in what is missing ends every requirement that is due at once', () => {
  const merchant = mergeAccount(
    EMPTY,
    {
      identity: { country: 'US', entity_type: 'company' },
      configuration: { merchant: { capabilities: { card_payments: { requested: true } } as object } },
    },
    NOW,
  );
  const filled = mergeAccount(
    merchant,
    {
      contact_email: 'kim@example.com',
      contact_phone: '+15555550123',
      identity: {
        business_details: {
          registered_name: 'Kim',
          structure: 'llc',
          address: { line1: '1 Main Street' },
          id_numbers: [{ type: 'us_ein', value: '000000000' }],
        },
      },
      defaults: { profile: { product_description: 'tea' } },
      configuration: { merchant: { mcc: '5734' } },
    },
    NOW,
  );
  assert.equal(
    assess(merchant, NOW.getTime()).capabilities.get('merchant.card_payments')?.status,
    'restricted',
  );
  assert.deepEqual(assess(filled, NOW.getTime()).entries, []);
  assert.equal(assess(filled, NOW.getTime()).capabilities.get('merchant.card_payments')?.status, 'active');
});
