/** The router vs a direct call, a bare proxy and Portkey's gateway, to the same upstream. */
import { join } from 'node:path';
import type { Bench } from '../context.js';
import type { Call } from '../load.js';
import { KEY, type Server } from '../server.js';
import { stream, type Peer, type Shape } from './streams.js';

const MESSAGES = [
  { role: 'system', content: 'You are a helpful assistant that answers in one sentence.' },
  { role: 'user', content: 'Why is the sky blue, and why is it red in the evening?' },
];
const FEW: Shape = { streams: 50, pieces: 100, interval: 20 };
const MANY: Shape = { streams: 1_000, pieces: 100, interval: 200 };
const PORTKEY = join(import.meta.dirname, '../../node_modules/@portkey-ai/gateway/build/start-server.js');

export default async function run(bench: Bench): Promise<void> {
  const upstream = await bench.start([join(import.meta.dirname, 'upstream.js')]);
  const { origin } = upstream;
  // As it is installed: an API key is checked and a usage record is kept for each call.
  const plugboard = await bench.plugboard('router', {
    plugins: { router: { upstreams: [{ name: 'up', baseUrl: `${origin}/v1` }] } },
  });
  const sides = [
    peer('direct', upstream),
    peer('bare proxy', await bench.start([join(import.meta.dirname, 'proxy.js'), origin])),
    peer('Plugboard', plugboard, { authorization: `Bearer ${KEY}` }, 'up/'),
    // It has no accounts of its own: the key that it is given is the upstream's.
    peer('Portkey', await bench.start([PORTKEY, '--headless', '--port=18787']), {
      authorization: 'Bearer a-key-of-the-upstream',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${origin}/v1`,
    }),
  ];
  const reference = 'Portkey';
  // Some ten thousand calls, after which the engine has compiled what a server runs for days.
  await bench.http({ what: '32 calls at a time', sides, connections: 32, warm: 4, reference });
  await bench.http({ what: 'one call at a time', sides, connections: 1, reference });
  await bench.compare({ what: '50 streams', sides, reference, measure: (side) => stream(side, FEW) });
  const many = (side: Peer): ReturnType<typeof stream> => stream(side, MANY);
  await bench.compare({ what: '1,000 streams', sides, reference, once: true, measure: many });
}

function peer(name: string, server: Server, more: Record<string, string> = {}, prefix = ''): Peer {
  const headers = { ...more, 'content-type': 'application/json' };
  const chat = (model: string, isStream: boolean): Call => ({
    method: 'POST',
    path: '/v1/chat/completions',
    headers,
    body: JSON.stringify({ model: prefix + model, messages: MESSAGES, ...(isStream && { stream: true }) }),
  });
  const call = chat('bench', false);
  return { name, server, chat, call: () => call };
}
