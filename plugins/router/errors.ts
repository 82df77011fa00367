/** What the router's routes, and those who call models through it, may answer. */
import { defineErrors } from 'plugboard/sdk';

export const errors = defineErrors({
  invalid_request: {
    status: 400,
    message: '{message}',
    when: 'the body or a parameter is not of the shape that the route takes',
  },
  stateless: {
    status: 400,
    message:
      '"{param}" is not supported: this server keeps no conversation; send all of it with each request (clients that refer to earlier items do so with `store: false`)',
    when: 'a Responses request names what a vendor keeps between calls, or asks it to keep something',
  },
  unknown_action: {
    status: 404,
    message: 'there is no "{action}" here',
    when: 'the path names a model, and after it what this server does not do',
  },
  model_not_found: {
    status: 404,
    message: 'there is no model "{model}"; {hint}',
    when: 'no route has that name and no upstream serves that model; the message names the models there are',
  },
  upstream_rejected: {
    status: 400,
    message: 'upstream "{upstream}" refused the request: {reason}',
    when: 'an upstream refused the body (400, 413, 415, 422); no other upstream is tried',
  },
  rate_limit_exceeded: {
    status: 429,
    message: 'every upstream for "{model}" is at its rate limit: {tried}',
    when: 'every upstream that was tried answered 429; `retry-after` says when to come back',
  },
  upstream_auth_failed: {
    status: 502,
    message:
      'no upstream for "{model}" accepts our API key or, after 403, this call: {tried}; check apiKey in plugins.router.upstreams',
    when: 'upstreams answered 401, 402 or 403 to our own key',
  },
  upstream_invalid_response: {
    status: 502,
    message: 'no upstream for "{model}" gave a usable answer: {tried}',
    when: 'what upstreams answered was not of the shape of the API, too large, or an empty stream',
  },
  upstream_failed: {
    status: 502,
    message: 'no upstream for "{model}" answered: {tried}',
    when: 'upstreams could not be reached, broke off, or answered 5xx',
  },
  upstream_unavailable: {
    status: 503,
    message: 'no upstream for "{model}" takes calls at the moment: {tried}',
    when: 'every circuit is open, or every key cools down; `retry-after` says when the first one is tried again',
  },
  upstream_timeout: {
    status: 504,
    message: 'no upstream for "{model}" answered in time: {tried}',
    when: 'a time limit of plugins.router.timeouts ended every attempt',
  },
  interceptor_timeout: {
    status: 504,
    message:
      'a plugin that sees chats before they are sent did not answer within {limit} ms (plugins.router.timeouts.interceptors)',
    when: 'an interceptor of another plugin (`MODELS.interceptChat`) answered neither in time nor to its signal; nothing was sent',
  },
  guard_refused: {
    status: 400,
    message: 'the guard "{guard}" refuses this {side}',
    when: 'a pattern of `plugins.router.guards` with the action `refuse` was found in a request, of which nothing was sent, or in an answer; an answer that is streamed ends there',
  },
  guard_failed: {
    status: 500,
    message: 'a guard of answers failed, so this one is withheld',
    when: 'a guard that another plugin registered (`MODELS.guardChat`) threw what is no error of a service',
  },
  request_too_long: {
    status: 413,
    message: 'the messages have more than {limit} characters (plugins.router.guards.maxCharacters)',
    when: 'the messages of a conversation are longer than the guards let through; nothing was sent',
  },
  unguarded: {
    status: 400,
    message: 'guards see conversations alone: ask this of chat completions',
    when: 'there are guards, and the call is `/v1/completions`, or a conversation that asks for more than one answer (`n`, `candidateCount`)',
  },
  admins_alone: {
    status: 403,
    message: 'the texts of calls are shown to administrators alone',
    when: 'a viewer asks for recorded texts',
  },
  texts_off: {
    status: 404,
    message: 'no texts of calls are recorded: plugins.router.texts is not set',
    when: 'recorded texts are asked for, and the config records none',
  },
  model_not_allowed: {
    status: 403,
    message: 'the allowance "{rule}" does not let this caller use the model "{model}"',
    when: 'an allowance that is about the caller names the models that may be called, and this is none of them',
  },
  model_not_priced: {
    status: 403,
    message:
      'the caller has a budget, and no price is known for "{model}"; give it one in plugins.router.prices (0 where it is free)',
    when: 'a caller with a budget asks for a model without a price: what it costs could not be counted',
  },
  insufficient_quota: {
    status: 429,
    message:
      'the budget "{rule}" of {usd} US dollars a {per} is spent or set aside for calls that run; it begins anew at {resets}',
    when: 'what the call may cost at most is more than what is left of a budget; `x-should-retry: false` keeps clients from asking again',
  },
  allowance_exceeded: {
    status: 429,
    message: 'the allowance "{rule}" of {most} {unit} a {per} is used; it begins anew in {seconds} s',
    when: 'a limit of requests or tokens a minute of an allowance is reached; `retry-after` says when it begins anew',
  },
  too_many_streams: {
    status: 429,
    message: '{most} streams are open at the same time, which is the limit of "{rule}"',
    when: 'an allowance, or `maxStreams` of the router, bounds the streams that are open at once; one may be opened when another has ended',
  },
  allowance_in_config: {
    status: 409,
    message: 'the allowance "{name}" is in the config: change it there',
    when: 'a call would change or delete an allowance of the config',
  },
  allowance_not_found: {
    status: 404,
    message: 'there is no allowance "{name}"',
    when: 'the allowance does not exist',
  },
  too_many_allowances: {
    status: 409,
    message: 'there are {limit} allowances, which is the limit: each call looks at all of them',
    when: 'one more allowance would be made by API than the server looks at',
  },
  upstream_in_config: {
    status: 409,
    message: 'the upstream "{name}" is in the config: change it there',
    when: 'a call would change or remove an upstream of the config',
  },
  upstream_not_found: {
    status: 404,
    message: 'there is no upstream "{name}"',
    when: 'the upstream does not exist',
  },
  too_many_upstreams: {
    status: 409,
    message: 'there are {limit} upstreams besides those of the config, which is the limit',
    when: 'one more upstream would be added by API than the server keeps',
  },
  client_closed_request: {
    status: 499,
    message: 'the client closed the request',
    when: 'the caller went away; the call to the upstream was ended at once',
  },
});
