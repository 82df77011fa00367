/** The small authenticated JSON route that all sides serve: its schema, its check of the key, its answer. */
import { createHash } from 'node:crypto';
import { KEY } from '../server.js';

export interface Item {
  readonly name: string;
  readonly count: number;
  readonly tags: readonly string[];
}

export const itemSchema = {
  type: 'object',
  required: ['name', 'count', 'tags'],
  properties: {
    name: { type: 'string', minLength: 1 },
    count: { type: 'integer', minimum: 0 },
    tags: { type: 'array', items: { type: 'string' } },
  },
  additionalProperties: false,
} as const;

/** What an authentication costs at least: the hash of the key, and a look-up. */
const keys = new Map([[hash(KEY), { id: 'one', scopes: ['read'] }]]);

export async function authenticate(request: {
  headers: { authorization?: string | undefined };
}): Promise<void> {
  const { authorization } = request.headers;
  if (authorization === undefined || !keys.has(hash(authorization.slice('Bearer '.length))))
    throw new Error('401');
}

export function answer({ name, count, tags }: Item) {
  return { id: 1, name, total: count + tags.length, tags };
}

function hash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
