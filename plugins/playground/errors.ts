/** What the playground's routes may answer. */
import { defineErrors } from 'plugboard/sdk';

export const errors = defineErrors({
  invalid_request: {
    status: 400,
    message: '{message}',
    when: 'the body is not of the shape that the route takes',
  },
  nothing_to_improve: {
    status: 400,
    message: 'give a "system" or a "prompt" that is not blank',
    when: 'improve-prompt got neither a system prompt nor a user prompt with text in it',
  },
  preset_not_found: {
    status: 404,
    message: 'there is no preset "{id}"',
    when: "the preset does not exist, is another key's, or the id is malformed",
  },
  too_many_presets: {
    status: 409,
    message: 'this key has {limit} presets, which is the limit; delete one first',
    when: 'a key has as many presets as plugins.playground.maxPresets allows',
  },
  params_too_long: {
    status: 400,
    message: '"params" must have at most {limit} characters as JSON',
    when: 'the parameters of a preset are too long',
  },
  presets_too_large: {
    status: 409,
    message:
      'the presets of this key may hold {limit} characters together; shorten this one or delete another first',
    when: 'the presets of a key would hold more than plugins.playground.maxCharacters allows',
  },
  upstream_rejected: {
    status: 400,
    message: 'upstream "{upstream}" refused the request (code {code})',
    when: 'the upstream refused the rewriting request, e.g. because the texts are too long for the model',
  },
  upstream_rate_limited: {
    status: 429,
    message: 'upstream "{upstream}" is at its rate limit (code {code})',
    when: 'every upstream for the model answered 429; `retry-after` says when to come back',
  },
  upstream_failed: {
    status: 502,
    message: 'upstream "{upstream}" {failure} (code {code})',
    when: 'the upstream could not be reached, failed, or did not accept our API key',
  },
  upstream_invalid_response: {
    status: 502,
    message: "the model's answer is not usable: {reason}",
    when: 'the answer was cut short, empty, or not in the form that was asked for; half a prompt is never given',
  },
  upstream_unavailable: {
    status: 503,
    message: 'upstream "{upstream}" takes no calls at the moment (code {code})',
    when: 'the circuits of the upstreams for the model are open, or their keys rest',
  },
  upstream_timeout: {
    status: 504,
    message: 'upstream "{upstream}" did not answer in time (code {code})',
    when: 'a time limit ended the call',
  },
});
