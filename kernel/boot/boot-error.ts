/** How a server fails to start. */

/** A plugin failed to start. The message names the plugin and the phase; the cause is the plugin's own error. */
export class BootError extends Error {
  override readonly name = 'BootError';
}

/**
 * An optional plugin failed after others took its services. The kernel has stopped; one without the plugin can start.
 */
export class StartAgain extends BootError {
  /** The ids of the plugins that failed. */
  readonly without: readonly string[];

  constructor(without: readonly string[], message: string, options: ErrorOptions) {
    super(message, options);
    this.without = without;
  }
}
