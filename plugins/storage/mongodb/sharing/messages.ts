/**
 * Calls of one turn of the event loop share one message to the server: under load the message costs more than its
 * content. No call waits longer than the turn, nor for the answer to another message.
 */
import type { BatchOptions } from 'plugboard/sdk';

/** At most 64 calls, so that decoding the answer does not block the event loop. */
export const IN_ONE_MESSAGE = { most: 64, overlap: true } satisfies BatchOptions<unknown>;
