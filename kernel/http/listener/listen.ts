/** The beginning and the end of listening. */
import type { ServerConfig } from '../../config/shape.js';
import { UserError } from '../../sdk/command.js';
import type { Logger } from '../../sdk/logger.js';
import type { Routes } from '../../sdk/routes.js';

/** The URL under which the server is reached. Throws a `UserError` when the address is not available. */
export async function listen(app: Routes, { host, port, tls }: ServerConfig): Promise<string> {
  try {
    const url = await app.listen({ host, port });
    // Fastify does not see that the listener of a port that outlives it is a secure one.
    return tls === undefined ? url : url.replace('http:', 'https:');
  } catch (error) {
    throw new UserError(`cannot listen: ${reason(error as NodeJS.ErrnoException, host, port)}`, {
      cause: error,
    });
  }
}

function reason({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is in use; set server.port, or stop the other server`;
    case 'EACCES':
      return `this user may not listen on port ${port}; set server.port to 1024 or above`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `"${host}" is not an address of this machine; set server.host to 127.0.0.1, or to 0.0.0.0 for every interface`;
    default:
      return message;
  }
}

/** Stops accepting and waits for the requests in flight; after `timeout` milliseconds the connections that are left are closed. */
export async function drain(app: Routes, timeout: number, log: Logger): Promise<void> {
  const closed = app.close();
  const cut = setTimeout(() => {
    log.warn(`requests did not end within ${timeout} ms (server.drainTimeout) and are cut off`);
    app.server.closeAllConnections();
  }, timeout);
  try {
    await closed;
  } finally {
    clearTimeout(cut);
  }
}
