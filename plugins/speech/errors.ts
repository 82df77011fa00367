/** The errors of the speech routes, in the order of the checks. */
import { defineErrors, type ServiceError } from 'plugboard/sdk';

const FINAL = 'a repetition fails in the same way, so `x-should-retry` is false';

export const errors = defineErrors({
  invalid_request: {
    status: 422,
    message: '{message}',
    when: 'the body is not of the shape that the route takes, e.g. `input` is missing or longer than 4,096 characters',
  },
  nothing_to_read: {
    status: 422,
    message: '"input" has nothing to read: it needs at least one word, number or letter',
    when: `\`input\` is empty or holds only punctuation, emoji or signs without a name; ${FINAL}`,
  },
  input_too_long: {
    status: 422,
    message:
      '"input" reads as {syllables} syllables at speed {speed}, about {seconds} s; at most {limit} s are made in one call',
    when: '`input` would last longer than plugins.speech.maxSeconds',
  },
  timestamps_need_events: {
    status: 422,
    message: '"timestamp_granularities" needs "stream_format": "sse": sound alone has no place for them',
    when: 'timestamps are asked for without events',
  },
  voice_not_found: {
    status: 400,
    message: 'there is no voice "{voice}"{hint}; GET /api/v1/voices lists them',
    when: 'no voice has this id',
  },
  allowance_exhausted: {
    status: 403,
    message: 'the allowance of {limit} s for {month} is used up ({used} s); it begins again at {reset}',
    when: 'the key has used its seconds of the month',
    type: 'insufficient_quota',
  },
  allowance_held: {
    status: 429,
    message: 'calls in progress hold the rest of the allowance for {month}; try again in {seconds} s',
    when: 'other calls of the same key hold all that is left of the month, and none of them ended for two seconds; `retry-after` says when to come back',
  },
  key_not_found: {
    status: 404,
    message: 'there is no API key with the id "{key}"; "plugboard keys list" shows the ids',
    when: 'a plan is asked for, set or taken away, and no key has this id',
  },
  pronunciation_not_found: {
    status: 404,
    message: 'this key has no pronunciation of this word',
    when: 'a pronunciation is taken away that the key does not have',
  },
  too_many_pronunciations: {
    status: 422,
    message: 'a key has at most {limit} pronunciations',
    when: 'one more is set',
  },
  call_not_found: {
    status: 404,
    message: 'no streamed call of this key with this id has ended within the last day',
    when: 'the amount of a call is asked for that has not ended, was not streamed, or was longer ago',
  },
  client_closed: {
    status: 499,
    message: 'the client left before the sound was made; nothing was charged',
    when: 'only in the log: the client is gone',
  },
  too_busy: {
    status: 503,
    message: 'the speech engine has {waiting} calls waiting; try again in {seconds} s',
    when: 'more calls wait than plugins.speech.queue allows; `retry-after` says when to come back',
  },
  engine_not_installed: {
    status: 502,
    message:
      'the embedded speech engine is not installed: run "npm install plugboard-engine-espeak-ng" or configure an upstream in plugins.speech.engines',
    when: `the package of the engine is missing and no other engine is configured; ${FINAL}`,
  },
  engine_busy: {
    status: 429,
    message: 'the speech engine has too much to do; nothing was charged',
    when: 'an upstream answered 429 or 503; `retry-after` is what it said',
  },
  engine_refused: {
    status: 400,
    message: 'the speech engine does not take this: {reason}',
    when: 'an upstream answered 400 or 422; the message names it and gives its reason',
  },
  engine_unauthorized: {
    status: 502,
    message: 'an upstream of this server does not take its key; nothing was charged',
    when: `an upstream answered 401 or 403 to the key of the config: the caller's own key is good; ${FINAL}`,
  },
  engine_failed: {
    status: 502,
    message: 'the speech engine failed; nothing was charged',
    when: 'the engine ended, refused the sentence or sent something that is not audio; nothing is charged',
  },
  engine_timeout: {
    status: 502,
    message: 'the speech engine did not answer in time; nothing was charged',
    when: 'a time limit ended the call; nothing is charged',
  },
});

/** Seconds after which a client may retry when the queue is full, or the rest of the month is held. */
export const COME_BACK = 2;

/** `waiting`: calls that are queued already. */
export function tooBusy(waiting: number): ServiceError {
  return errors.too_busy({
    values: { waiting, seconds: COME_BACK },
    headers: { 'retry-after': String(COME_BACK) },
  });
}
