/** Errors of the playground's routes. */
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
  too_many_versions: {
    status: 409,
    message: 'this preset has {limit} versions, which is the limit; delete one first',
    when: 'a preset has as many versions as plugins.playground.maxVersions allows',
  },
  too_many_labels: {
    status: 409,
    message: 'this preset has {limit} labels, which is the limit; delete one first',
    when: 'a preset would get one more label than it may have',
  },
  version_not_found: {
    status: 404,
    message: 'the preset "{id}" has no version "{version}"',
    when: 'the preset has no version of that number, and no label of that name',
  },
  version_labelled: {
    status: 409,
    message: 'version {version} is labelled "{label}"; move or delete the label first',
    when: 'a version would be deleted that a label names',
  },
  no_version: {
    status: 409,
    message: 'the preset "{id}" has no version yet: POST /api/playground/presets/{id}/versions',
    when: 'a run asks for the newest version of a preset that has none',
  },
  run_not_found: {
    status: 404,
    message: 'there is no run "{id}"',
    when: "the run does not exist, is another key's, or was one of the oldest",
  },
  run_too_large: {
    status: 400,
    message:
      'this run is {calls} calls of models with those of judges, and may be {limit} (plugins.playground.maxCalls); take fewer versions, models or examples',
    when: 'versions times models times examples, with their judges, are more calls than a run may make',
  },
  too_many_runs: {
    status: 429,
    message: '{limit} runs of this key are under way, which is the limit; wait until one is over',
    when: 'a key would run more at a time than it may',
  },
  variable_missing: {
    status: 400,
    message: 'version {version} needs the variable "{name}", which example {at} does not give',
    when: 'a version has a name in double braces that an example, or the variables of the run, do not have',
  },
  prompt_too_long: {
    status: 400,
    message: 'version {version} with example {at} would be more than {limit} characters',
    when: 'a prompt would be too long with its variables filled in',
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
