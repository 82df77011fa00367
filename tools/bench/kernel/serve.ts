/** What a server under measurement says to the run: where it listens, and how long it has computed. */

/** The first message is the URL; each message to it is answered by its processor time so far, in microseconds. */
export function serve(url: string): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.send?.(url);
}
