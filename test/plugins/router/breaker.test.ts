import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Breaker } from '../../../plugins/router/upstream/breaker.js';

const open = (): Breaker => {
  const breaker = new Breaker({ failures: 2, reset: 100 });
  breaker.failed(0);
  breaker.failed(0);
  return breaker;
};

test('failures in a row open the circuit; a success in between counts anew', () => {
  const breaker = new Breaker({ failures: 2, reset: 100 });
  breaker.failed(0);
  breaker.succeeded();
  breaker.failed(0);
  assert.equal(breaker.state(0), 'closed');
  breaker.failed(0);
  assert.equal(breaker.state(0), 'open');
  assert.equal(breaker.tryPass(99), false);
});

test('after the reset one call is let through, and its success closes the circuit', () => {
  const breaker = open();
  assert.equal(breaker.state(100), 'half-open');
  assert.equal(breaker.tryPass(100), true);
  assert.equal(breaker.tryPass(100), false, 'only one at a time');
  breaker.succeeded();
  assert.equal(breaker.state(100), 'closed');
});

test('each failed probe doubles the reset, up to eightfold', () => {
  const breaker = open();
  let now = 0;
  for (const expected of [100, 200, 400, 800, 800]) {
    assert.equal(breaker.opensAt, now + expected);
    now = breaker.opensAt ?? 0;
    assert.equal(breaker.tryPass(now), true);
    breaker.failed(now);
  }
});

test('a probe that tells nothing lets the next one through', () => {
  const breaker = open();
  breaker.tryPass(100);
  breaker.released();
  assert.equal(breaker.tryPass(100), true);
});

test('a call that set out before the circuit opened does not keep it open for longer', () => {
  const breaker = open();
  breaker.failed(90);
  assert.equal(breaker.opensAt, 100);
});
