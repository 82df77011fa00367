/** The kernel's own errors. */
import { defineErrors } from '../sdk/http/errors.js';

export const kernelErrors = defineErrors({
  invalid_request: {
    status: 400,
    message: '{message}',
    when: 'the body, the query or the path does not match the schema of the route',
  },
  malformed_json: {
    status: 400,
    message: 'the body is not valid JSON: {reason}',
    when: 'a JSON body cannot be parsed',
  },
  malformed_url: {
    status: 400,
    message: 'the URL is not valid',
    when: 'the path holds a percent-encoding that cannot be decoded',
  },
  malformed_http: {
    status: 400,
    message: 'the request is not valid HTTP',
    when: 'the request line or the headers cannot be parsed',
  },
  not_found: { status: 404, message: 'there is no route {path}', when: 'no route has this path' },
  method_not_allowed: {
    status: 405,
    message: '{method} is not allowed on {path}; allowed: {allowed}',
    when: 'the path exists, but not with this method; `Allow` names those it has',
  },
  request_timeout: {
    status: 408,
    message: 'the request did not arrive in time',
    when: 'the client took too long to send its request',
  },
  payload_too_large: {
    status: 413,
    message: 'the body is larger than {limit} bytes',
    when: 'the body is over `server.bodyLimit` or the limit of its route, a form has over 1,000 fields, or JSON holds too many values',
  },
  unsupported_media_type: {
    status: 415,
    message: 'bodies of type "{type}" are not accepted here',
    when: 'the content type has no parser on this route',
  },
  operations_closed: {
    status: 403,
    message:
      'this page is for those who run the server: set server.operations.open, or enable a plugin that needs auth',
    when: 'metrics or documentation are asked for from another machine, and the server has no auth provider',
  },
  cross_origin: {
    status: 403,
    message: 'a page of another site may not call here: add its origin to server.cors.origins to let it',
    when: 'a browser sends a write, or without CORS asks whether it may call, for a page of another origin that is not one of `server.cors.origins`',
  },
  misdirected: {
    status: 421,
    message:
      'this server does not answer to the name "{name}": add it to server.allowedHosts, or set server.trustProxy behind a proxy',
    when: 'the server listens on 127.0.0.1, and `Host` is neither an address nor `localhost` nor one of `server.allowedHosts`',
  },
  headers_too_large: {
    status: 431,
    message: 'the URL and the headers are larger than 64 KiB together',
    when: 'the URL and the headers are over 64 KiB',
  },
  internal: {
    status: 500,
    message: 'an unexpected error; quote the request id {id} when you report it',
    when: 'a fault of the server; the log has it under the request id',
  },
  unavailable: {
    status: 503,
    message: 'the storage is not available; try again',
    when: 'the storage cannot be reached',
  },
  overloaded: {
    status: 503,
    message: 'the server is overloaded; try again',
    when: 'the event loop lags more than `server.pressure.eventLoopDelay`',
  },
  starting: {
    status: 503,
    message: 'the server is starting{step}; try again',
    when: 'the plugins of a server that was just started are not up yet; `/-/live` is 200 meanwhile',
  },
  too_many_connections: {
    status: 503,
    message: 'the server has as many connections as it takes; try again',
    when: 'every connection that the limit on open files allows has a request',
  },
  too_large: {
    status: 413,
    message: 'the document is too large to store',
    when: 'a stored document would be over 16 MiB',
  },
  conflict: {
    status: 409,
    message: 'another request changed the same thing at the same time; try again',
    when: 'a transaction lost against others, even after retries',
  },
});
