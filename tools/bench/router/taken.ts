/** What this process has taken of the machine, for the parent that measures it. */
export interface Taken {
  /** Processor time, user and system, in microseconds. */
  readonly cpu: number;
  /** Resident memory in MiB. */
  readonly rss: number;
}

export function takenSoFar(): Taken {
  const { user, system } = process.cpuUsage();
  return { cpu: user + system, rss: process.memoryUsage.rss() / 2 ** 20 };
}
