import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Breaker, type Passage } from '../../../plugins/router/upstream/breaker.js';

const RESET = 100;

/** A circuit that two failures opened at 0. */
const open = (): Breaker => {
  const breaker = new Breaker({ failures: 2, reset: RESET });
  fail(breaker, 0);
  fail(breaker, 0);
  return breaker;
};

test('failures in a row open the circuit; a success in between counts anew', () => {
  const breaker = new Breaker({ failures: 2, reset: RESET });
  fail(breaker, 0);
  breaker.succeeded();
  assert.equal(fail(breaker, 0), false);
  assert.equal(breaker.state(0), 'closed');
  assert.equal(fail(breaker, 0), true, 'it says that it opened');
  assert.equal(breaker.state(0), 'open');
  assert.equal(breaker.tryPass(99), undefined);
});

test('answers that begin and break off open the circuit, too', () => {
  const breaker = new Breaker({ failures: 2, reset: RESET });
  for (const state of ['closed', 'open'] as const) {
    const passage = passageOf(breaker, 0);
    breaker.answered();
    breaker.failed(passage, 0);
    assert.equal(breaker.state(0), state);
  }
});

test('after the reset one call is let through, and its answer closes the circuit', () => {
  const breaker = open();
  assert.equal(breaker.state(RESET), 'half-open');
  assert.notEqual(breaker.tryPass(RESET), undefined);
  assert.equal(breaker.tryPass(RESET), undefined, 'only one at a time');
  assert.equal(breaker.answered(), true, 'it says that it closed');
  assert.equal(breaker.state(RESET), 'closed');
  assert.equal(breaker.answered(), false);
});

test('each failed probe doubles the reset, up to eightfold', () => {
  const breaker = open();
  let now = 0;
  for (const expected of [100, 200, 400, 800, 800]) {
    assert.equal(breaker.opensAt, now + expected);
    now = breaker.opensAt ?? 0;
    fail(breaker, now);
  }
});

test('a probe whose answer breaks off opens the circuit for twice as long', () => {
  const breaker = open();
  const probe = passageOf(breaker, RESET);
  breaker.answered();
  breaker.failed(probe, RESET);
  assert.equal(breaker.opensAt, RESET + 2 * RESET);
});

test('a probe that tells nothing lets the next one through', () => {
  const breaker = open();
  breaker.released(passageOf(breaker, RESET));
  assert.notEqual(breaker.tryPass(RESET), undefined);
});

test('a call that set out before the circuit opened neither keeps it open for longer nor ends the probe', () => {
  const breaker = new Breaker({ failures: 2, reset: RESET });
  const [early, left] = [passageOf(breaker, 0), passageOf(breaker, 0)];
  fail(breaker, 0);
  fail(breaker, 0);
  breaker.failed(early, 90);
  assert.equal(breaker.opensAt, RESET);
  const probe = passageOf(breaker, RESET);
  breaker.failed(early, RESET);
  breaker.released(left);
  assert.equal(breaker.tryPass(RESET), undefined, 'the probe is still out');
  assert.equal(breaker.failed(probe, RESET), true);
});

function fail(breaker: Breaker, now: number): boolean {
  return breaker.failed(passageOf(breaker, now), now);
}

function passageOf(breaker: Breaker, now: number): Passage {
  const passage = breaker.tryPass(now);
  assert.ok(passage !== undefined);
  return passage;
}
