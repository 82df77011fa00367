/** The table of every operation by every kind of key; `slow/` makes it on both stores. */
import { describe } from 'node:test';
import { operationsByKey } from './operations-by-key.js';

describe('operations by key', () => operationsByKey('operations.md', async () => undefined));
