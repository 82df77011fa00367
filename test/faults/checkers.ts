/** Judges of a history. Each answers what is wrong with it, in words; nothing wrong is an empty list. */
import type { History, Operation } from './history.js';

export type Checker = (history: History) => string[];

const endOf = ({ end }: Operation): bigint => end ?? 2n ** 63n;

/** acknowledged ⊆ found ⊆ acknowledged ∪ unknown. */
const nothingLost: Checker = (history) => {
  const finals = history.of('final rows').at(-1)?.result as readonly string[] | undefined;
  if (finals === undefined) return ['the rows were not read at the end'];
  const found = new Set(finals);
  const inserts = history.of('insert row');
  const possible = new Set(inserts.filter(({ outcome }) => outcome !== 'fail').map(({ subject }) => subject));
  return [
    ...inserts
      .filter(({ outcome, subject }) => outcome === 'ok' && !found.has(subject))
      .map(({ subject }) => `the row ${subject} was acknowledged and is lost`),
    ...finals
      .filter((subject) => !possible.has(subject))
      .map((subject) => `the row ${subject} was refused and is there`),
    ...(found.size < finals.length ? ['a row is there twice'] : []),
  ];
};

/** Registers have one writer, who counts up: a read sees at least what was acknowledged before it began. */
const readsSeeWrites: Checker = (history) => {
  const writes = history.of('write register');
  return history
    .of('read register')
    .filter(({ outcome }) => outcome === 'ok')
    .flatMap(({ subject, result, start, end, instance }) => {
      const own = writes.filter((write) => write.subject === subject);
      const least = own
        .filter((write) => write.outcome === 'ok' && endOf(write) < start)
        .reduce((most, { value }) => Math.max(most, Number(value)), 0);
      const most = own
        .filter((write) => write.outcome !== 'fail' && write.start < (end ?? start))
        .reduce((highest, { value }) => Math.max(highest, Number(value)), 0);
      const read = Number(result);
      if (read < least)
        return [`instance ${instance} read ${read} of ${subject} after ${least} was acknowledged`];
      return read > most ? [`instance ${instance} read ${read} of ${subject}, which nobody wrote`] : [];
    });
};

/** Answers for one idempotency key name one account, and there is one. */
const onceForAKey: Checker = (history) => {
  const faults: string[] = [];
  const answers = new Map<string, Set<unknown>>();
  for (const { subject, outcome, result } of history.of('make account'))
    if (outcome === 'ok') answers.set(subject, (answers.get(subject) ?? new Set()).add(result));
  for (const [subject, ids] of answers)
    if (ids.size > 1) faults.push(`${subject} was answered with ${ids.size} accounts`);
  const counts = history.of('final accounts').at(-1)?.result as Readonly<Record<string, number>> | undefined;
  if (counts === undefined) return [...faults, 'the accounts were not read at the end'];
  for (const [subject, count] of Object.entries(counts))
    if (count > 1) faults.push(`${subject} made ${count} accounts`);
  for (const subject of answers.keys())
    if ((counts[subject] ?? 0) === 0) faults.push(`the account of ${subject} was acknowledged and is lost`);
  return faults;
};

/** In no window more is granted than the limit. `value` of an operation is the limit, `result` its window. */
const limitsExact: Checker = (history) => {
  const granted = new Map<string, number>();
  let limit = Infinity;
  for (const { outcome, result, value } of history.of('limited')) {
    limit = Number(value);
    if (outcome === 'ok') granted.set(String(result), (granted.get(String(result)) ?? 0) + 1);
  }
  return [...granted]
    .filter(([, count]) => count > limit)
    .map(
      ([window, count]) => `${count} of ${limit} requests were granted in the window that ends at ${window}`,
    );
};

/** Nanoseconds: `revocationLag` of auth. */
const REVOCATION_LAG = 5_000_000_000n;

/** No request that began later than the lag after an acknowledged revocation succeeds. */
const revokedIsDead: Checker = (history) =>
  history
    .of('revoke key')
    .filter(({ outcome }) => outcome === 'ok')
    .flatMap((revocation) =>
      history
        .of('use key')
        .filter(
          ({ subject, outcome, start }) =>
            subject === revocation.subject && outcome === 'ok' && start > endOf(revocation) + REVOCATION_LAG,
        )
        .map(
          ({ instance, start }) =>
            `instance ${instance} took ${revocation.subject} ${(start - endOf(revocation)) / 1_000_000n} ms after it was revoked`,
        ),
    );

export const CHECKERS: Readonly<Record<string, Checker>> = {
  'nothing acknowledged is lost': nothingLost,
  'a read sees what was acknowledged before it': readsSeeWrites,
  'one effect for an idempotency key': onceForAKey,
  'limits are exact': limitsExact,
  'a revoked key is dead in 5 s': revokedIsDead,
};
