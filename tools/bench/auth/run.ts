/** What an API key costs: a guarded route beside the same route without a guard. `npm run auth` in tools/bench. */
import { join } from 'node:path';
import { bursts } from '../bursts.js';
import { comparison } from '../comparison.js';
import { startPeer } from '../measured.js';
import { get } from '../sockets.js';
import { KEY } from './server.js';

const server = await startPeer(join(import.meta.dirname, 'server.js'));
const side = (name: string, path: string) => ({
  name,
  server,
  // The same bytes but for the path: only the guard makes the difference.
  request: get(path, { host: '127.0.0.1', authorization: `Bearer ${KEY}` }),
  status: 200,
});
const options = { turns: Number(process.env['BENCH_TURNS'] ?? 9), seconds: 2, connections: 32 };
console.log(
  comparison(await bursts([side('with a key', '/guarded'), side('open', '/open')], options), options),
);
await server.stop();
