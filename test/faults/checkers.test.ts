/** Each checker passes a right history and names what is wrong with a wrong one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECKERS } from './checkers.js';
import { History, type Operation } from './history.js';

type Step = Pick<Operation, 'kind' | 'subject'> & Partial<Operation>;

/** One after another, a second each. */
function history(...steps: readonly Step[]): History {
  const made = new History();
  steps.forEach((step, at) => {
    const start = BigInt(at) * 1_000_000_000n;
    made.operations.push({ instance: 0, outcome: 'ok', start, end: start + 1n, ...step });
  });
  return made;
}

const insert = (subject: string, outcome: Operation['outcome'] = 'ok'): Step => ({
  kind: 'insert row',
  subject,
  outcome: outcome ?? 'ok',
});
const write = (value: number, outcome: Operation['outcome'] = 'ok'): Step => ({
  kind: 'write register',
  subject: 'r',
  value,
  outcome: outcome ?? 'ok',
});
const read = (result: number): Step => ({ kind: 'read register', subject: 'r', result });
const rows = (...result: string[]): Step => ({ kind: 'final rows', subject: '', result });
const account = (result: string): Step => ({ kind: 'make account', subject: 'k', result });
const accounts = (result: Record<string, number>): Step => ({ kind: 'final accounts', subject: '', result });
const limited = (result: string): Step => ({ kind: 'limited', subject: 'key', value: 2, result });
const use: Step = { kind: 'use key', subject: 'key' };
const revoke: Step = { kind: 'revoke key', subject: 'key' };
const later = Array.from({ length: 5 }, (): Step => ({ kind: 'wait', subject: '' }));

const CASES: Readonly<
  Record<string, { right: readonly Step[][]; wrong: readonly (readonly [RegExp, Step[]])[] }>
> = {
  'nothing acknowledged is lost': {
    right: [
      [insert('a'), insert('b', 'unknown'), insert('c', 'fail'), rows('a', 'b')],
      [insert('b', 'unknown'), rows()],
    ],
    wrong: [
      [/a was acknowledged and is lost/, [insert('a'), rows()]],
      [/c was refused and is there/, [insert('c', 'fail'), rows('c')]],
      [/there twice/, [insert('a'), rows('a', 'a')]],
      [/not read at the end/, [insert('a')]],
    ],
  },
  'a read sees what was acknowledged before it': {
    right: [[write(1), read(1), write(2, 'unknown'), read(1), read(2)], [read(0)]],
    wrong: [
      [/read 1 of r after 2 was acknowledged/, [write(1), write(2), read(1)]],
      [/read 3 of r, which nobody wrote/, [write(1), write(3, 'fail'), read(3)]],
    ],
  },
  'one effect for an idempotency key': {
    right: [[account('acct_1'), account('acct_1'), accounts({ k: 1 })]],
    wrong: [
      [/answered with 2 accounts/, [account('acct_1'), account('acct_2'), accounts({ k: 1 })]],
      [/made 2 accounts/, [account('acct_1'), accounts({ k: 2 })]],
      [/acknowledged and is lost/, [account('acct_1'), accounts({})]],
    ],
  },
  'limits are exact': {
    right: [[limited('1'), limited('1'), limited('2'), { ...limited('1'), outcome: 'fail' }]],
    wrong: [[/3 of 2 requests/, [limited('1'), limited('1'), limited('1')]]],
  },
  'a revoked key is dead in 5 s': {
    right: [
      [use, revoke, use, ...later, { ...use, outcome: 'fail' }],
      [{ ...revoke, outcome: 'unknown' }, ...later, use],
    ],
    wrong: [[/after it was revoked/, [revoke, ...later, use]]],
  },
};

for (const [name, checker] of Object.entries(CHECKERS)) {
  test(`${name}: a right history passes, a wrong one is named`, () => {
    const { right, wrong } = CASES[name]!;
    for (const steps of right) assert.deepEqual(checker(history(...steps)), []);
    for (const [fault, steps] of wrong) assert.match(checker(history(...steps)).join('\n'), fault);
  });
}
