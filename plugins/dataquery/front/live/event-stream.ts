/** Changes as server-sent events: a client resumes after an `id` (`Last-Event-ID`). */
import { eventText, keepOpen, Outgoing, pingText, type ResumeToken } from 'plugboard/sdk';
import type { LiveRows } from '../../engine/live/live-rows.js';
import type { ToldType } from '../../engine/live/told-change.js';
import type { Wanted } from '../../engine/live/view.js';
import type { Caller } from '../../engine/policies/caller.js';
import type { Watch } from './watch.js';

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
  /** The caller, checked again. Throws if no longer allowed. */
  readonly again: Watch;
  /** Aborted when the server begins to stop. */
  readonly draining: AbortSignal;
}

/** Throws if the subscription is refused. */
export async function eventStream(live: LiveRows, asked: Asked): Promise<Outgoing> {
  const { caller, wanted, after, again, draining } = asked;
  live.views(caller, wanted);
  await live.open();
  const out = new Outgoing();
  const subscription = live.subscribe(
    caller,
    wanted,
    {
      tell: ({ type, token, text }) => out.push(eventText(NAMES[type], text, token)),
      missed: () => {
        const reason = 'changes were missed: read what you show again';
        out.push(eventText('reread', JSON.stringify({ reason }), live.token));
      },
      end: (error) => out.endWith(error),
    },
    after as ResumeToken | undefined,
  );
  out.left.addEventListener('abort', () => subscription.close(), { once: true });
  out.push(eventText('ready', '{}', after === undefined ? live.token : undefined));
  keepOpen(out, {
    ping: () => pingText(subscription.isLive ? live.token : undefined),
    again: async () => {
      subscription.caller = await again();
    },
    draining,
  });
  return out;
}
