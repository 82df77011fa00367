/** Takes what a collector of OpenTelemetry takes, and keeps nothing. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
});
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.once('SIGTERM', () => server.close());
