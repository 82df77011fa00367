/** A small TCP balancer: each connection goes to the next instance that accepts it. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Balancer {
  readonly url: string;
  stop(): Promise<void>;
}

export async function balance(urls: readonly string[]): Promise<Balancer> {
  let turn = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on('close', () => sockets.delete(client));
    client.on('error', () => client.destroy());
    const first = turn;
    turn += 1;
    const attempt = (tries: number): void => {
      const target = urls[(first + tries) % urls.length];
      if (tries === urls.length || target === undefined) {
        client.destroy();
        return;
      }
      const { hostname, port } = new URL(target);
      const upstream = connect(Number(port), hostname);
      upstream.once('connect', () => {
        client.pipe(upstream).pipe(client);
        client.on('close', () => upstream.destroy());
        upstream.on('close', () => client.destroy());
      });
      upstream.on('error', () => (upstream.connecting ? attempt(tries + 1) : client.destroy()));
    };
    attempt(0);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
