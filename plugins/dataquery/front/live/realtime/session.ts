/** One WebSocket of supabase-js: joins and leaves channels, and sends their changes. */
import { isServiceError, type Outgoing, type ServiceError } from 'plugboard/sdk';
import type { LiveRows } from '../../../engine/live/live-rows.js';
import type { Caller } from '../../../engine/policies/caller.js';
import { bindingsOf, Channel, JoinRefused, type Binding } from './channel.js';
import { frameText, isObject, parseFrame, type Frame, type Version } from './frames.js';

/** The caller by a channel's token, or else by the connection's credential. Throws a `ServiceError`. */
export type CallerOfToken = (token: string | undefined) => Promise<Caller>;

interface Joined {
  readonly channel: Channel;
  readonly topic: string;
  readonly joinRef: string | null;
  token: string | undefined;
}

/** Channels of one connection. */
const MOST_CHANNELS = 100;
const LONGEST_TOKEN = 16_384;

/** Sent after each join: the client has no mark of what it has seen. */
const SUBSCRIBED = 'Subscribed to PostgreSQL: changes are told from now on; read what came before';

export class RealtimeSession {
  readonly #live: LiveRows;
  readonly #callerOf: CallerOfToken;
  readonly #version: Version;
  readonly #out: Outgoing;
  readonly #channels = new Map<string, Joined>();
  #ids = 0;

  constructor(live: LiveRows, callerOf: CallerOfToken, version: Version, out: Outgoing) {
    this.#live = live;
    this.#callerOf = callerOf;
    this.#version = version;
    this.#out = out;
  }

  /** One message at a time. */
  async take(text: string): Promise<void> {
    const frame = parseFrame(text);
    // There is nothing to answer.
    if (frame === undefined) return;
    switch (frame.event) {
      case 'heartbeat':
        this.#reply(frame, 'ok', {});
        return;
      case 'phx_join':
        await this.#join(frame);
        return;
      case 'phx_leave':
        this.#leave(frame.topic);
        this.#reply(frame, 'ok', {});
        return;
      case 'access_token':
        await this.#renew(frame);
        return;
      default:
        this.#reply(frame, 'error', { reason: `"${frame.event}" is not offered` });
    }
  }

  /** Checks the tokens of all channels again. */
  async recheck(): Promise<void> {
    for (const joined of [...this.#channels.values()]) {
      try {
        joined.channel.caller = await this.#callerOf(joined.token);
      } catch (error) {
        this.#end(joined, error);
      }
    }
  }

  close(): void {
    for (const { channel } of this.#channels.values()) channel.close();
    this.#channels.clear();
  }

  async #join(frame: Frame): Promise<void> {
    const { topic, payload } = frame;
    this.#leave(topic);
    try {
      if (this.#channels.size >= MOST_CHANNELS)
        throw new JoinRefused(`a connection has ${MOST_CHANNELS} channels at most`);
      const bindings = bindingsOf(payload['config'], () => (this.#ids += 1));
      const token = tokenOf(payload);
      const caller = await this.#callerOf(token);
      await this.#live.open();
      const joined = this.#joined(frame, caller, bindings, token);
      this.#channels.set(topic, joined);
      this.#reply(frame, 'ok', { postgres_changes: bindings });
      this.#system(joined, 'ok', SUBSCRIBED);
    } catch (error) {
      if (!(error instanceof JoinRefused) && !isServiceError(error)) throw error;
      this.#reply(frame, 'error', { reason: error.message });
    }
  }

  #joined(
    { topic, joinRef, ref }: Frame,
    caller: Caller,
    bindings: readonly Binding[],
    token: string | undefined,
  ): Joined {
    const joined: Joined = {
      topic,
      joinRef: joinRef ?? ref,
      token,
      channel: new Channel(this.#live, caller, bindings, {
        change: ({ id }, { text }) =>
          this.#push(
            { joinRef: null, ref: null, topic, event: 'postgres_changes' },
            `{"ids":[${id}],"data":${text}}`,
          ),
        missed: () => this.#system(joined, 'ok', 'changes were missed: read what you show again'),
        ended: (error) => this.#end(joined, error),
      }),
    };
    return joined;
  }

  async #renew({ topic, payload }: Frame): Promise<void> {
    const joined = this.#channels.get(topic);
    if (joined === undefined) return;
    joined.token = tokenOf(payload);
    try {
      joined.channel.caller = await this.#callerOf(joined.token);
    } catch (error) {
      this.#end(joined, error);
    }
  }

  #leave(topic: string): void {
    this.#channels.get(topic)?.channel.close();
    this.#channels.delete(topic);
  }

  /** The client shows the reason, and does not rejoin by itself. */
  #end(joined: Joined, error: unknown): void {
    if (this.#channels.get(joined.topic) !== joined) return;
    this.#leave(joined.topic);
    this.#system(
      joined,
      'error',
      isServiceError(error) ? (error as ServiceError).message : 'the server failed',
    );
    this.#push({ joinRef: joined.joinRef, ref: null, topic: joined.topic, event: 'phx_close' }, '{}');
  }

  #system({ topic, joinRef }: Joined, status: 'ok' | 'error', message: string): void {
    const channel = topic.replace(/^realtime:/, '');
    this.#push(
      { joinRef, ref: null, topic, event: 'system' },
      JSON.stringify({ extension: 'postgres_changes', status, message, channel }),
    );
  }

  #reply({ joinRef, ref, topic }: Frame, status: 'ok' | 'error', response: object): void {
    this.#push({ joinRef, ref, topic, event: 'phx_reply' }, JSON.stringify({ status, response }));
  }

  #push(frame: Omit<Frame, 'payload'>, payload: string): void {
    this.#out.push(`${frameText(this.#version, frame, payload)}\n`);
  }
}

function tokenOf(payload: Readonly<Record<string, unknown>>): string | undefined {
  const token = isObject(payload) ? payload['access_token'] : undefined;
  if (token === undefined || token === null) return undefined;
  if (typeof token !== 'string' || token.length > LONGEST_TOKEN)
    throw new JoinRefused('"access_token" is no token');
  return token;
}
