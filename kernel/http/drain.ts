/** The orderly end of an HTTP server. */
import type { Logger } from '../sdk/logger.js';
import type { Routes } from '../sdk/routes.js';

/** Stops accepting and waits for the requests in flight; after `timeout` milliseconds the connections that are left are closed. */
export async function drain(app: Routes, timeout: number, log: Logger): Promise<void> {
  const closed = app.close();
  // A connection whose request ends during the drain becomes idle and would keep the server open.
  const idle = setInterval(() => app.server.closeIdleConnections(), 20);
  const cut = setTimeout(() => {
    log.warn(`requests did not end within ${timeout} ms (server.drainTimeout) and are cut off`);
    app.server.closeAllConnections();
  }, timeout);
  try {
    await closed;
  } finally {
    clearInterval(idle);
    clearTimeout(cut);
  }
}
