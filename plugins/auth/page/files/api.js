/** Calls of the server's HTTP API, with its errors as they came. Paths are relative: a proxy may put a path in front. */

export class ApiError extends Error {
  /** `status` is 0 when no answer came; `param` names the property at fault, or is null. */
  constructor(status, { message, param = null }) {
    super(message);
    this.status = status;
    this.param = param;
  }
}

export class Api {
  #csrfToken = null;

  async status() {
    const status = await this.#call('GET', 'api/auth/status');
    this.#csrfToken = status.csrfToken;
    return status;
  }

  async login(password) {
    const { csrfToken } = await this.#call('POST', 'api/auth/login', { password });
    this.#csrfToken = csrfToken;
  }

  async logout() {
    await this.#call('POST', 'api/auth/logout');
    this.#csrfToken = null;
  }

  async scopes() {
    return (await this.#call('GET', 'api/scopes')).scopes;
  }

  async keys() {
    return (await this.#call('GET', 'api/keys')).keys;
  }

  createKey(wanted) {
    return this.#call('POST', 'api/keys', wanted);
  }

  revokeKey(id) {
    return this.#call('DELETE', `api/keys/${encodeURIComponent(id)}`);
  }

  /** Seconds of speech a month by the id of the key; only keys with a plan of their own. */
  async plans() {
    const { plans } = await this.#call('GET', 'api/v1/plans');
    return new Map(plans.map(({ key, seconds }) => [key, seconds]));
  }

  setPlan(key, seconds) {
    return this.#call('PUT', `api/v1/plans/${encodeURIComponent(key)}`, { seconds });
  }

  description() {
    return this.#call('GET', '-/openapi.json');
  }

  async #call(method, path, body) {
    const headers = { accept: 'application/json' };
    if (this.#csrfToken !== null) headers['x-csrf-token'] = this.#csrfToken;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const answer = await fetch(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new ApiError(0, { message: 'the server does not answer; try again' });
    });
    const parsed = await answer.json().catch(() => ({}));
    if (answer.ok) return parsed;
    throw new ApiError(answer.status, parsed.error ?? { message: `the server answered ${answer.status}` });
  }
}
