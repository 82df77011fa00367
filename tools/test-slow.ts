/**
 * The slow tests that a time box takes, in this order and at this length: `node dist/tools/test.js --slow --minutes=5`.
 * Without a box all of `slow/` runs, at full length. Seeds are new in every run, and printed.
 */

interface Boxed {
  /** Of its path below `test/`. */
  readonly file: string;
  /** Shortens it. */
  readonly env?: Readonly<Record<string, string>>;
}

const BOX: readonly Boxed[] = [
  { file: 'plugins/storage/embedded/slow/power-loss', env: { ROUNDS: '4' } },
  { file: 'hostile/slow/corpus' },
  { file: 'plugins/storage/embedded/slow/faults', env: { ROUNDS: '3' } },
  { file: 'e2e/slow/fuzz', env: { FUZZ_REQUESTS: '3000' } },
  { file: 'e2e/slow/outage' },
  { file: 'e2e/slow/cluster' },
  { file: 'e2e/slow/revocation' },
  { file: 'plugins/storage/embedded/slow/crash' },
  { file: 'plugins/speech/slow/killed' },
  { file: 'plugins/events/slow/visibility' },
  { file: 'plugins/ratelimit/slow/four-processes' },
  { file: 'plugins/audit/slow/killed', env: { AUDIT_CHANGES: '500' } },
  { file: 'e2e/slow/catalog-migration' },
];

/**
 * Runs one file after another until the minutes are over; the last one may end later. Prints what ran and what was left
 * out. The exit code of the first that failed.
 */
export async function runBox(
  files: readonly string[],
  minutes: number,
  run: (file: string, env: Readonly<Record<string, string>>) => Promise<number>,
  print: (text: string) => void = console.log,
): Promise<number> {
  const end = performance.now() + minutes * 60_000;
  const ran: string[] = [];
  let failed = 0;
  for (const boxed of BOX) {
    const file = files.find((one) => one.endsWith(`/${boxed.file}.test.js`));
    if (file === undefined || performance.now() > end) continue;
    const began = performance.now();
    const code = await run(file, boxed.env ?? {});
    failed ||= code;
    ran.push(
      `  ${boxed.file}: ${code === 0 ? 'ok' : 'FAILED'}, ${Math.round((performance.now() - began) / 1000)} s`,
    );
  }
  const left = files
    .map((file) => (file.split('/dist/test/').at(-1) ?? file).replace('.test.js', ''))
    .filter((name) => !ran.some((line) => line.startsWith(`  ${name}:`)));
  print(`slow tests that ran in a box of ${minutes} min:\n${ran.join('\n')}`);
  if (left.length > 0) print(`slow tests that were left out:\n${left.map((name) => `  ${name}`).join('\n')}`);
  return failed;
}
