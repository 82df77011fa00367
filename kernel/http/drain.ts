/** The orderly end of an HTTP server. */
import type { Logger } from '../sdk/logger.js';
import type { Routes } from '../sdk/routes.js';

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
