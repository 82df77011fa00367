/** Changes as server-sent events: `id` is where a client that was away goes on (`Last-Event-ID`). */
import { isServiceError, type ResumeToken, type ServiceError } from 'plugboard/sdk';
import type { LiveRows } from '../../engine/live/live-rows.js';
import type { ToldType } from '../../engine/live/told-change.js';
import type { Wanted } from '../../engine/live/view.js';
import type { Caller } from '../../engine/policies/caller.js';
import { Outgoing } from './outgoing.js';
import { RECHECK, type Watch } from './watch.js';

/** Milliseconds between signs of life: proxies cut off what is silent for a minute. */
const PING = 15_000;

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // nginx would gather the events.
  'x-accel-buffering': 'no',
} as const;

const NAMES: Readonly<Record<ToldType, string>> = {
  INSERT: 'insert',
  UPDATE: 'update',
  DELETE: 'delete',
  LEAVE: 'leave',
};

interface Asked {
  readonly caller: Caller;
  readonly wanted: Wanted;
  /** The last event that the client has. */
  readonly after: string | undefined;
  /** Who asks, judged again. Throws when they may no longer. */
  readonly again: Watch;
  /** Aborted when the server begins to stop. */
  readonly draining: AbortSignal;
}

/** Throws what refuses the subscription. */
export async function eventStream(live: LiveRows, asked: Asked): Promise<Outgoing> {
  const { caller, wanted, after, again, draining } = asked;
  live.views(caller, wanted);
  await live.open();
  const leave = new AbortController();
  const out = new Outgoing(() => leave.abort());
  const readAgain = (reason: string): void =>
    out.push(eventText('reread', JSON.stringify({ reason }), live.token));
  const subscription = live.subscribe(
    caller,
    wanted,
    {
      tell: ({ type, token, text }) => out.push(eventText(NAMES[type], text, token)),
      missed: () => readAgain('changes were missed: read what you show again'),
      end: (error) => {
        out.push(errorText(error));
        out.end();
      },
    },
    after as ResumeToken | undefined,
  );
  leave.signal.addEventListener('abort', () => subscription.close(), { once: true });
  out.push(eventText('ready', '{}', after === undefined ? live.token : undefined));
  const ping = setInterval(
    () => out.push(subscription.isLive ? `: ping\n${idLine(live.token)}\n` : ': ping\n\n'),
    PING,
  );
  const check = setInterval(() => {
    again().then(
      (now) => (subscription.caller = now),
      (error: unknown) => {
        if (isServiceError(error)) out.push(errorText(error));
        out.end();
      },
    );
  }, RECHECK);
  const end = (): void => out.end();
  draining.addEventListener('abort', end, { once: true });
  leave.signal.addEventListener('abort', () => {
    clearInterval(ping);
    clearInterval(check);
    draining.removeEventListener('abort', end);
  });
  if (draining.aborted) end();
  return out;
}

/** `data` is JSON, which has no line breaks. */
function eventText(name: string, data: string, token: ResumeToken | undefined): string {
  return `${idLine(token)}event: ${name}\ndata: ${data}\n\n`;
}

function idLine(token: ResumeToken | undefined): string {
  return token === undefined ? '' : `id: ${token}\n`;
}

function errorText({ code, message }: ServiceError): string {
  return eventText('error', JSON.stringify({ code, message }), undefined);
}
