/** Speech over HTTP. */
import {
  goneSignal,
  limited,
  ownerOf,
  isServiceError,
  type Auth,
  type RateLimit,
  type Reply,
  type Request,
  type Routes,
  type ServiceError,
  type SlowReaders,
} from 'plugboard/sdk';
import type { Allowance } from './allowance/allowance.js';
import type { Calls } from './allowance/calls.js';
import type { Plans } from './allowance/plans.js';
import { MEDIA_TYPES } from './audio/encoder.js';
import { errors } from './errors.js';
import { planRoutes } from './plan-routes.js';
import { pronunciationRoutes } from './pronunciations/routes.js';
import type { Pronunciations } from './pronunciations/pronunciations.js';
import {
  CallAnswer,
  CallId,
  Estimate,
  ExplainBody,
  Explanation,
  SpeechBody,
  SpeechQuery,
  UsageAnswer,
  VoiceList,
} from './schema.js';
import { explain, type ExplainParts } from './service/explain.js';
import { formatOf, isStream } from './service/speech.js';
import { VOICES } from './voices/voices.js';

const BASE = '/api/v1';
/** The second is the default of OpenAI's clients, which send everything else to the router. */
const SPEECH_BASES = [BASE, '/v1'];

export interface RouteParts extends ExplainParts {
  readonly auth: Auth;
  readonly limits: RateLimit | undefined;
  readonly allowance: Allowance;
  readonly plans: Plans;
  readonly calls: Calls;
  readonly pronunciations: Pronunciations;
  readonly readers: SlowReaders;
  readonly renderError: (error: ServiceError, request: Request) => string;
}

export function routes(app: Routes, parts: RouteParts): void {
  const { auth, limits, speech, allowance, calls, readers, renderError } = parts;
  const guard = auth.guard('bearer', { scope: 'speech' });
  const hooks = limited(guard, limits?.category('core'));
  const owner = (request: Request): string => ownerOf(auth.principal(request));
  const tags = ['Speech'];

  for (const base of SPEECH_BASES)
    app.post(
      `${base}/audio/speech`,
      {
        ...hooks,
        // Nothing is stored: what is not a letter is not spoken.
        config: { anyText: true },
        schema: {
          summary: 'Speak a text',
          description: 'Answers the sound, or with `dry_run=true` an estimate as JSON.',
          tags,
          body: SpeechBody,
          querystring: SpeechQuery,
          response: { 200: AUDIO },
        },
      },
      async (request, reply) => {
        if (request.query.dry_run === 'true')
          return reply.type('application/json').send(await speech.estimate(owner(request), request.body));
        const type = MEDIA_TYPES[formatOf(request.body)];
        if (isStream(request.body)) {
          const isEvents = request.body.stream_format === 'sse';
          const pieces = await whileThere(reply, (gone) =>
            speech.stream(owner(request), request.body, {
              id: request.id,
              gone,
              renderError: (error) =>
                renderError(isServiceError(error) ? error : errors.engine_failed({ cause: error }), request),
            }),
          );
          return reply
            .headers({ 'cache-control': 'no-cache', 'x-accel-buffering': 'no' })
            .type(isEvents ? 'text/event-stream; charset=utf-8' : type)
            .send(readers.stream(pieces));
        }
        const { audio, ms } = await whileThere(reply, (gone) =>
          speech.speak(owner(request), request.body, gone),
        );
        return reply
          .header('x-audio-duration-seconds', (ms / 1_000).toFixed(3))
          .type(type)
          .send(audio);
      },
    );

  app.post(
    `${BASE}/audio/speech/explain`,
    {
      ...hooks,
      config: { anyText: true, readOnly: true },
      schema: {
        summary: 'Explain how a text is read, free of charge',
        tags,
        body: ExplainBody,
        response: { 200: Explanation },
      },
    },
    (request, reply) => whileThere(reply, (gone) => explain(parts, owner(request), request.body, gone)),
  );

  app.get(
    `${BASE}/voices`,
    { ...hooks, schema: { summary: 'List the voices', tags, response: { 200: VoiceList } } },
    () => ({
      voices: VOICES.map(({ id, name, dialect }) => ({ id, name, languages: ['ko'], dialect })),
    }),
  );

  app.get(
    `${BASE}/usage`,
    { ...hooks, schema: { summary: "This key's month", tags, response: { 200: UsageAnswer } } },
    async (request) => {
      const { month, limitMs, usedMs, reservedMs, resetsAt } = await allowance.usage(owner(request));
      return {
        month,
        limit_seconds: limitMs / 1_000,
        used_seconds: usedMs / 1_000,
        reserved_seconds: reservedMs / 1_000,
        remaining_seconds: Math.max(0, limitMs - usedMs - reservedMs) / 1_000,
        resets_at: resetsAt.toISOString(),
      };
    },
  );

  app.get(
    `${BASE}/usage/calls/:id`,
    {
      ...hooks,
      schema: {
        summary: 'What a streamed call cost',
        tags,
        params: CallId,
        response: { 200: CallAnswer },
      },
    },
    async (request) => {
      const { id } = request.params;
      const ms = await calls.find(owner(request), id);
      if (ms === undefined) throw errors.call_not_found({ param: 'id' });
      return { id, seconds: ms / 1_000 };
    },
  );

  pronunciationRoutes(app, parts);
  planRoutes(app, parts);
}

/** The body is sound, which has no schema; the estimate is JSON. */
const AUDIO = {
  description: 'The sound',
  headers: {
    'X-Audio-Duration-Seconds': { type: 'number', description: 'seconds that were deducted, three decimals' },
  },
  content: {
    'audio/mpeg': { schema: { type: 'string', format: 'binary' } },
    'audio/wav': { schema: { type: 'string', format: 'binary' } },
    'audio/pcm': { schema: { type: 'string', format: 'binary' } },
    'audio/ogg': { schema: { type: 'string', format: 'binary' } },
    'audio/flac': { schema: { type: 'string', format: 'binary' } },
    'text/event-stream': { schema: { type: 'string' } },
    'application/json': { schema: Estimate },
  },
};

/** Errors caused by the client leaving get their own code, so that the log shows no fault of ours. */
async function whileThere<T>(reply: Reply, work: (gone: AbortSignal) => Promise<T>): Promise<T> {
  const gone = goneSignal(reply);
  try {
    return await work(gone);
  } catch (error) {
    throw gone.aborted ? errors.client_closed({ cause: error }) : error;
  }
}
