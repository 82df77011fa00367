/** A receiver of webhooks, over a real socket. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly subject: string;
    readonly data: unknown;
  };
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  /** What the next ones are answered; 200 unless it says otherwise. */
  answer: (got: Received) => number | Promise<number>;
}

export interface ReceiverOptions {
  /** From a body to the event. Default: `JSON.parse`. */
  readonly parse?: (body: string) => unknown;
}

export async function receiver({ parse = JSON.parse }: ReceiverOptions = {}): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const got = { headers: request.headers, body, event: parse(body) as Received['event'] };
      const status = await made.answer(got);
      if (status < 300) received.push(got);
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('thanks');
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const made: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: () => 200,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return made;
}
