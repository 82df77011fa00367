/** Data from mem0: pages of its `getAll`, an array of memories, or either as JSON lines; in snake or camel case. */
import { UserError } from 'plugboard/sdk';
import { keyFor } from '../front/mem0/key.js';
import { endOfDay } from '../front/mem0/present.js';
import { dateOf, newEntry, UUID, type FiledEntry } from './exported-line.js';

/** Characters in a file, which is parsed as a whole. */
const LONGEST = 256 * 1024 * 1024;

/** `owner` gets the memories. Throws UserError, naming the memory. */
export async function* mem0Entries(
  lines: AsyncIterable<string>,
  owner: string,
): AsyncGenerator<FiledEntry, void> {
  let count = 0;
  for (const memory of memoriesIn(await valuesOf(lines))) {
    count += 1;
    yield filedOf(memory, owner, `memory ${count}`);
  }
}

type Members = Readonly<Record<string, unknown>>;

async function valuesOf(lines: AsyncIterable<string>): Promise<unknown[]> {
  const all: string[] = [];
  let length = 0;
  for await (const line of lines) {
    length += line.length;
    if (length > LONGEST) throw new UserError(`a file of mem0 may have ${LONGEST} characters; split it`);
    all.push(line);
  }
  const whole = parsed(all.join('\n'));
  if (whole !== undefined) return [whole];
  return all.flatMap((line, at) => {
    if (line.trim() === '') return [];
    const value = parsed(line);
    if (value === undefined) throw new UserError(`line ${at + 1} is not JSON`);
    return [value];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Flattens pages and arrays. */
function* memoriesIn(values: readonly unknown[]): Generator<Members, void> {
  for (const value of values) {
    if (Array.isArray(value)) yield* memoriesIn(value as unknown[]);
    else if (typeof value !== 'object' || value === null)
      throw new UserError('a file of mem0 holds memories, which are JSON objects');
    else if ('results' in value && Array.isArray(value.results))
      yield* memoriesIn(value.results as unknown[]);
    else yield value as Members;
  }
}

function filedOf(memory: Members, owner: string, place: string): FiledEntry {
  const read = (name: string): unknown => memory[name] ?? memory[camelCase(name)] ?? undefined;
  // mem0's open-source JavaScript server keeps the date here.
  const { expiration_date: nested, ...metadata } = (memory['metadata'] ?? {}) as Members;
  const day = read('expiration_date') ?? nested;
  const id = read('id');
  if (typeof id !== 'string' || id === '') throw new UserError(`${place}: id must be a text`);
  const named = `${place} (${id.slice(0, 60)})`;
  const isOurs = UUID.test(id);
  const members = Object.entries({
    ...metadata,
    agent_id: read('agent_id'),
    app_id: read('app_id'),
    categories:
      Array.isArray(memory['categories']) && memory['categories'].length > 0
        ? memory['categories']
        : undefined,
    mem0_id: isOurs ? undefined : id,
  }).filter(([, value]) => value !== undefined);
  const run = read('run_id');
  const [createdAt, updatedAt] = [
    dateOf(read('created_at'), 'created_at', named),
    dateOf(read('updated_at') ?? read('created_at'), 'updated_at', named),
  ];
  return {
    place: named,
    entry: newEntry(
      {
        content: read('memory') ?? read('text'),
        key: keyFor(id),
        type: run === undefined ? 'factual' : 'episodic',
        apiKeyId: owner,
        userId: read('user_id') ?? null,
        sessionId: run ?? null,
        metadata: Object.fromEntries(members),
        expiresAt:
          day === undefined ? null : ((typeof day === 'string' ? endOfDay(day) : undefined) ?? 'no day'),
      },
      named,
    ),
    given: {
      ...(isOurs && { id }),
      ...(createdAt && { createdAt }),
      ...(updatedAt && { updatedAt }),
    },
    supersedes: null,
    supersededBy: null,
  };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
