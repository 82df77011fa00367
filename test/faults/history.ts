/** What clients asked and were told, in the order of one clock: what checkers judge. */

/** Nanoseconds of a clock that is never set. */
export const now = (): bigint => process.hrtime.bigint();

/**
 * `ok`: the server said so. `fail`: the server said that it did not happen. `unknown`: it may have happened, as after
 * a broken connection or a 5xx.
 */
export type Outcome = 'ok' | 'fail' | 'unknown';

export interface Operation {
  readonly kind: string;
  /** What it is about: a register, a key, an account. */
  readonly subject: string;
  readonly value?: number | string;
  /** Of the instance that was asked. */
  readonly instance: number;
  readonly start: bigint;
  end?: bigint;
  /** Absent while it runs. */
  outcome?: Outcome;
  result?: unknown;
}

export class History {
  readonly operations: Operation[] = [];

  /** Noted before it is sent: what a crash of the laboratory leaves is unknown too. */
  async note(
    what: Pick<Operation, 'kind' | 'subject' | 'value' | 'instance'>,
    run: () => Promise<{ readonly outcome: Outcome; readonly result?: unknown }>,
  ): Promise<Operation> {
    const operation: Operation = { ...what, start: now() };
    this.operations.push(operation);
    const { outcome, result } = await run().catch(() => ({ outcome: 'unknown' as const, result: undefined }));
    return Object.assign(operation, { outcome, result, end: now() });
  }

  of(kind: string): Operation[] {
    return this.operations.filter((each) => each.kind === kind);
  }
}
