/** The driver's errors of lost connections: the caller may try again. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import * as driver from 'mongodb';
import { storageError } from '../../../../plugins/storage/mongodb/errors.js';

type ErrorClass = { readonly prototype: Error };

/** Those of the pool are not among the driver's exports. */
const pool = createRequire(import.meta.resolve('mongodb'))('./cmap/errors.js') as Record<string, unknown>;

const isErrorClass = (value: unknown): value is ErrorClass =>
  typeof value === 'function' && value.prototype instanceof Error;

test('every error of the network, of the pool and of a closed client is unavailable', () => {
  const classes = [...Object.values(driver), ...Object.values(pool)].filter(isErrorClass);
  const lost = classes.filter(
    ({ prototype }) =>
      prototype instanceof driver.MongoNetworkError ||
      /Pool|WaitQueue|ServerSelection|NotConnected|Closed|ExpiredSession|OperationTimeout|StalePrimary/.test(
        prototype.constructor.name,
      ),
  );
  const names = lost.map(({ prototype }) => (Object.create(prototype) as Error).name);
  assert.ok(names.includes('PoolClearedOnNetworkError'));
  assert.ok(names.length > 10);
  for (const { prototype } of lost) {
    const thrown = Object.assign(Object.create(prototype) as Error, { message: 'lost' });
    assert.equal(storageError(thrown).code, 'unavailable', prototype.constructor.name);
  }
});
