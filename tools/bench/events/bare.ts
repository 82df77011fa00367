/**
 * A poll on Fastify as it comes: one tag, one comparison, one header. With the address of a MongoDB as its argument each
 * answer waits for a ping of it that began after the poll came, which polls share: the least that an answer costs that
 * must not be older than the poll on any instance.
 */
import { fastify } from 'fastify';
import { MongoClient } from 'mongodb';

const TAG = '"0123456789abcdefghijklmnopq"';
const [url] = process.argv.slice(2);
const whenFresh = url === undefined ? (answer: () => void) => answer() : await pings(url);
const app = fastify();
app.get('/users/:username/events', (request, reply) =>
  whenFresh(() => {
    reply.header('etag', TAG);
    if (request.headers['if-none-match'] !== TAG) void reply.send([]);
    else void reply.code(304).send();
  }),
);
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));

async function pings(address: string): Promise<(answer: () => void) => void> {
  const database = (await new MongoClient(address).connect()).db();
  let waiting: (() => void)[] = [];
  let runs = false;
  const run = async (): Promise<void> => {
    runs = true;
    while (waiting.length > 0) {
      // Who comes within a few turns of the event loop shares the ping, as with ours.
      for (let turn = 0, before = 0; turn < 4 && waiting.length > before; turn += 1) {
        before = waiting.length;
        await new Promise((resolve) => setImmediate(resolve));
      }
      const batch = waiting;
      waiting = [];
      await database.command({ ping: 1 });
      for (const answer of batch) answer();
    }
    runs = false;
  };
  return (answer) => {
    waiting.push(answer);
    if (!runs) void run();
  };
}
