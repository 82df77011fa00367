/** A proxy on whose first connections the request has its effect and the answer never comes. */
import { connect, createServer, type AddressInfo } from 'node:net';

export interface CuttingProxy {
  readonly url: string;
  /** Connections so far. */
  readonly connections: () => number;
  close(): void;
}

/** Cuts the first `cuts` connections when the answer begins. */
export async function cuttingProxy(target: string, cuts: number): Promise<CuttingProxy> {
  const port = Number(new URL(target).port);
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const isCut = connections <= cuts;
    const upstream = connect(port, '127.0.0.1');
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      if (isCut) client.destroy();
      else client.write(chunk);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    connections: () => connections,
    close: () => void server.close(),
  };
}
