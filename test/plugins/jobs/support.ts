/** A plugin whose jobs the test drives. */
import { definePlugin, JOBS, Type, type JobHandler, type JobOptions, type Jobs } from 'plugboard/sdk';
import { bootTest, type BootTestOptions, type TestServer } from 'plugboard/testing';

export type Handlers = Readonly<Record<string, readonly [JobHandler<unknown>, JobOptions?]>>;

export interface Worker {
  readonly server: TestServer;
  readonly jobs: Jobs;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Boots a server with one plugin, `worker`, that handles these jobs. */
export async function worker(handlers: Handlers, options: BootTestOptions = {}): Promise<Worker> {
  const plugin = definePlugin({
    name: 'worker',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    needs: { jobs: JOBS },
    setup({ needs: { jobs } }) {
      for (const [name, [handler, settings]] of Object.entries(handlers))
        jobs.handle(name, handler, settings);
      return {};
    },
  });
  const server = await bootTest({ ...options, plugins: [{ plugin }] });
  return { server, jobs: server.service(JOBS, 'worker'), [Symbol.asyncDispose]: () => server.stop() };
}
