/** A machine that a process of a test runs on: this one, or one that a test made (`test/faults/network.ts`). */
export interface Host {
  /** Where its servers listen. */
  readonly address: string;
  /** The prefix of a command to run there. */
  readonly command: readonly string[];
}

export const LOCAL: Host = { address: '127.0.0.1', command: [] };
