/**
 * Loaded into each test file by `tools/test.ts`. A test that hangs ends its file and is named: Node's own
 * `--test-timeout` is that of a whole file before Node 24, and does not say which test it was.
 */
import { afterEach, beforeEach } from 'node:test';
import { isMainThread } from 'node:worker_threads';

// Coverage is measured in the test files: in the hundred servers and commands that they start it would add little
// but a third to their time.
delete process.env['NODE_V8_COVERAGE'];

const limit = Number(process.env['PLUGBOARD_TEST_TIMEOUT']);

// A server that a test forks is started with the same flags.
if (isMainThread && limit > 0 && /\.test\.m?js$/.test(process.argv[1] ?? '')) {
  const timers = new WeakMap<object, NodeJS.Timeout>();
  beforeEach((context) => {
    const end = (): void => {
      console.error(`the test "${context.name}" did not end within ${limit} ms`);
      process.exit(1);
    };
    timers.set(context, setTimeout(end, limit));
  });
  afterEach((context) => clearTimeout(timers.get(context)));
}
