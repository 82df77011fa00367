/** The plugin contract, run by itself for a plugin whose stream waits for an event, which keeps no process alive. */
import { Readable } from 'node:stream';
import { definePlugin, Type } from 'plugboard/sdk';
import { pluginContract } from 'plugboard/testing';

const silent = definePlugin({
  name: 'silent',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  prefix: '/silent',
  setup: ({ draining }) => ({
    routes: (app) => {
      app.get('/events', (request, reply) => {
        const events = new Readable({ read: () => {} });
        const end = (): void => void events.push(null);
        AbortSignal.any([request.signal, draining]).addEventListener('abort', end);
        return reply.type('text/event-stream').send(events);
      });
    },
  }),
});

pluginContract(silent);
