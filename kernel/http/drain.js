/** Stops accepting and waits for the requests in flight; what is left after `timeout` milliseconds is cut. */
export async function drain(app, timeout) {
    const closed = app.close();
    // A connection whose request ends during the drain becomes idle and would keep the server open.
    const idle = setInterval(() => app.server.closeIdleConnections(), 20);
    const cut = setTimeout(() => app.server.closeAllConnections(), timeout);
    try {
        await closed;
    }
    finally {
        clearInterval(idle);
        clearTimeout(cut);
    }
}
//# sourceMappingURL=drain.js.map