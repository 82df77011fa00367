/** The route on Plugboard, with the shedding of load that a server has by default. */
import { definePlugin, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import { answer, authenticate, itemSchema, type Item } from './item.js';

const plugin = definePlugin({
  name: 'bench',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  setup: () => ({
    routes: (app) => {
      const schema = { body: Type.Unsafe<Item>(itemSchema) };
      app.post('/items', { schema, onRequest: authenticate }, (request) => answer(request.body));
    },
  }),
});

const server = await bootTest({
  plugins: [{ plugin }],
  server: { pressure: { eventLoopDelay: 1000 } },
});
process.once('SIGTERM', () => void server.stop().then(() => process.exit()));
console.log(await server.listen());
