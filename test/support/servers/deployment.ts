/** One installation of the server: what its instances share, and the config file that says so. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { root } from '../fixtures.js';
import type { StoreConfig } from '../stores.js';

export interface Deployment {
  readonly storage: StoreConfig;
  readonly plugins: Readonly<Record<string, object | null>>;
  readonly adminPassword: string;
  /** An API key that may do everything. */
  readonly key: string;
  readonly sealKey: string;
  readonly server: object;
}

export function deployment(
  storage: StoreConfig,
  plugins: Deployment['plugins'],
  server: object = {},
): Deployment {
  return {
    storage,
    plugins,
    // How busy the machine of a test run is says nothing of the server.
    server: { pressure: { eventLoopDelay: 0 }, ...server },
    adminPassword: 'correct horse battery',
    key: `pb_${randomBytes(24).toString('base64url')}`,
    sealKey: randomBytes(32).toString('base64'),
  };
}

/** All services, with the demo tables and one upstream. */
export function allPlugins(upstreamUrl: string): Deployment['plugins'] {
  const demo = join(root, 'config/demo');
  return {
    ratelimit: null,
    authorizations: null,
    router: {
      upstreams: [
        { name: 'up', baseUrl: upstreamUrl, models: ['chat', { name: 'embed', kind: 'embedding' }] },
      ],
    },
    playground: null,
    memory: null,
    dataquery: { catalog: join(demo, 'cinema.yaml'), rows: join(demo, 'cinema.rows.json') },
    events: { demo: join(demo, 'events.json') },
    speech: { embedded: { workers: 1 } },
  };
}

export function configText({ storage, plugins, adminPassword, key, sealKey, server }: Deployment): string {
  const auth = { use: 'local', adminPassword, firstKey: key };
  const secrets = { keys: [sealKey] };
  return stringify({
    version: 1,
    server: { port: 0, ...server },
    providers: { storage, auth, secrets },
    plugins,
  });
}
