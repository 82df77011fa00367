/**
 * Calls of one turn of the event loop go to the server in one message: under load a message costs more than what is in
 * it. No call waits longer than the turn, and none for the answer to another message.
 */
import type { BatchOptions } from 'plugboard/sdk';

/** At most 64 calls, so that decoding one answer does not hold up the event loop. */
export const IN_ONE_MESSAGE = { most: 64, overlap: true } satisfies BatchOptions<unknown>;
