/** Stripe's package for Python, unmodified, where there is one: `PYTHON` names an interpreter that has it. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { cuttingProxy } from './support/cutting-proxy.js';
import { bootAccounts } from './support/server.js';

const PYTHON = process.env['PYTHON'] ?? 'python3';
const script = join(
  resolve(import.meta.dirname, '../../../..'),
  'test/plugins/accounts/support/python_client.py',
);
const hasStripe = spawnSync(PYTHON, ['-c', 'import stripe; stripe.StripeClient']).status === 0;

test(
  'the client of Python creates, updates, lists, closes, tells refusals apart, and makes one account when it tries again',
  { skip: hasStripe ? false : `${PYTHON} has no package "stripe"` },
  async () => {
    await using server = await bootAccounts();
    const direct = await server.listen();
    const proxy = await cuttingProxy(direct, 1);
    try {
      const { stdout } = await promisify(execFile)(PYTHON, [script, direct, proxy.url, server.apiKey]);
      assert.deepEqual(JSON.parse(stdout), {
        created: 'us',
        updated: ['Lee', { b: '2' }],
        retrieved: 'company',
        listed: true,
        refusals: [
          ['InvalidRequestError', 404, 'not_found'],
          ['InvalidRequestError', 400, 'email_invalid'],
          ['IdempotencyError', 409, 'idempotency_error'],
          ['AuthenticationError', 401, null],
        ],
        cut: ['cut', 1],
        closed: true,
      });
      assert.ok(proxy.connections() > 1, 'the client tried again');
    } finally {
      proxy.close();
    }
  },
);
