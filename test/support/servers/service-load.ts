/** Callers of every service who go on through an outage, check what they are told and remember what was acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../caller.js';

export type ServiceName = 'router' | 'playground' | 'memory' | 'dataquery';

/** What the callers of one service were told. */
export interface Told {
  /** Names of the entries whose writing was answered with success. */
  readonly acknowledged: string[];
  /** Requests answered 503 in the service's dialect. */
  refused: number;
  /** Answers that were neither right nor such a 503, as text. */
  readonly wrong: string[];
}

export interface ServiceLoad extends AsyncDisposable {
  readonly told: Readonly<Record<ServiceName, Told>>;
  stop(): Promise<void>;
}

interface Service {
  write(name: string): { readonly path: string; readonly body: object };
  /** Where the entry is read; null where the answer to the write tells all. */
  read(name: string, written: { readonly id?: string }): string | null;
  /** Whether the body of a 503 is what this service's clients understand. */
  refuses(body: Record<string, unknown>): boolean;
}

/** Of the store, and of a credential whose revocation cannot be looked up without it. */
const REFUSALS = ['unavailable', 'revocations_unknown', 'SVC000'];

const inOpenAiDialect = ({ error }: Record<string, unknown>): boolean => {
  const { code, type, message } = (error ?? {}) as Record<string, unknown>;
  return REFUSALS.includes(String(code)) && type === 'server_error' && typeof message === 'string';
};

const SERVICES: Readonly<Record<ServiceName, Service>> = {
  router: {
    write: (name) => ({
      path: '/v1/chat/completions',
      body: { model: 'up/chat', messages: [{ role: 'user', content: name }] },
    }),
    read: () => null,
    refuses: inOpenAiDialect,
  },
  playground: {
    write: (name) => ({
      path: '/api/playground/presets',
      body: { name, endpoint: 'chat.completions', model: 'up/chat' },
    }),
    read: (_, { id }) => `/api/playground/presets/${id}`,
    refuses: inOpenAiDialect,
  },
  memory: {
    write: (name) => ({ path: '/api/memory', body: { key: name, content: `the thought ${name}` } }),
    read: (_, { id }) => `/api/memory/${id}`,
    refuses: inOpenAiDialect,
  },
  dataquery: {
    write: (name) => ({ path: '/data/directors', body: { name } }),
    read: (name) => `/data/directors?name=eq.${name}`,
    refuses: (body) =>
      REFUSALS.includes(String(body['code'])) &&
      Object.keys(body).toSorted().join() === 'code,details,hint,message',
  },
};

/** Two callers of each service. The upstream answers a chat with what it was told. */
export function startServiceLoad(call: Call): ServiceLoad {
  const told: Record<ServiceName, Told> = {
    router: nothingYet(),
    playground: nothingYet(),
    memory: nothingYet(),
    dataquery: nothingYet(),
  };
  let stopping = false;
  const caller = async (service: ServiceName, number: number): Promise<void> => {
    for (let at = 0; !stopping; at += 1) {
      await visit(call, SERVICES[service], `${service}-${number}-${at}`, told[service]);
      await sleep(10);
    }
  };
  const callers = (Object.keys(SERVICES) as ServiceName[]).flatMap((service) =>
    [1, 2].map((number) => caller(service, number)),
  );
  const stop = async (): Promise<void> => {
    stopping = true;
    await Promise.all(callers);
  };
  return { told, stop, [Symbol.asyncDispose]: stop };
}

function nothingYet(): Told {
  return { acknowledged: [], refused: 0, wrong: [] };
}

/** Writes an entry and reads it. */
async function visit(call: Call, service: Service, name: string, told: Told): Promise<void> {
  const { path, body } = service.write(name);
  const written = await hear(service, name, told, () => call('POST', path, body));
  if (written === undefined) return;
  told.acknowledged.push(name);
  const place = service.read(name, written);
  if (place !== null) await hear(service, name, told, () => call('GET', place));
}

/** The body of a right answer: it names the entry, or is empty where that was created. Undefined for any other. */
async function hear(
  { refuses }: Service,
  name: string,
  told: Told,
  ask: () => Promise<Response>,
): Promise<{ id?: string } | undefined> {
  try {
    const answer = await ask();
    const text = await answer.text();
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    if (answer.ok && (text.includes(`"${name}"`) || (answer.status === 201 && text === ''))) return body;
    if (answer.status === 503 && refuses(body)) told.refused += 1;
    else told.wrong.push(`${name}: ${answer.status} ${text}`);
  } catch (error) {
    told.wrong.push(`${name}: ${String(error)}`);
  }
  return undefined;
}
