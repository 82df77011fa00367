/** A limit in headers and in a refusal: each dialect's clients expect another form. */
import type { Reply, ServiceError } from 'plugboard/sdk';
import { errors } from './errors.js';
import type { Count } from './leases.js';
import type { CategoryLimits, Limits } from './limits.js';
import type { Subject } from './subject.js';

export interface Standing {
  readonly requests: Count | undefined;
  readonly tokens: Count | undefined;
}

export interface Refusal {
  readonly unit: 'requests' | 'tokens';
  readonly count: Count;
  readonly limits: Limits;
  readonly subject: Subject;
  readonly now: number;
}

export interface Form {
  /** Sets the headers. */
  show(reply: Reply, category: CategoryLimits, standing: Standing, now: number): void;
  /** Updates the headers that change when a request is refunded. */
  showRefund(reply: Reply, count: Count): void;
  refuse(category: CategoryLimits, refusal: Refusal): ServiceError;
}

const DOCUMENTATION = 'https://developer.github.com/v3/#rate-limiting';
const SECONDARY_DOCUMENTATION = 'https://developer.github.com/v3/#abuse-rate-limits';

/** Limit, remaining, reset as a Unix time in seconds, used, resource. */
const showPlain: Form['show'] = (reply, { name }, { requests }) => {
  if (requests === undefined) return;
  const { used, remaining, reset } = requests;
  // One by one: building and iterating an object for each response was a quarter of a limit's cost.
  reply.header('x-ratelimit-limit', String(used + remaining));
  reply.header('x-ratelimit-remaining', String(remaining));
  reply.header('x-ratelimit-reset', String(Math.ceil(reset / 1000)));
  reply.header('x-ratelimit-used', String(used));
  reply.header('x-ratelimit-resource', name);
};

const showPlainRefund: Form['showRefund'] = (reply, { remaining, used }) => {
  reply.header('x-ratelimit-remaining', String(remaining));
  reply.header('x-ratelimit-used', String(used));
};

const github: Form = {
  show: showPlain,
  showRefund: showPlainRefund,
  refuse: (_, { subject }) => {
    const hint =
      subject.kind === 'address'
        ? " (But here's the good news: Authenticated requests get a higher rate limit. Check out the documentation for more details.)"
        : '';
    return errors.rate_limit_exceeded({
      status: 403,
      message: `API rate limit exceeded for ${subject.label}.${hint}`,
      documentationUrl: DOCUMENTATION,
    });
  },
};

/** https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers */
const openai: Form = {
  show(reply, _, standing, now) {
    for (const unit of ['requests', 'tokens'] as const) {
      const count = standing[unit];
      if (count === undefined) continue;
      reply.header(`x-ratelimit-limit-${unit}`, String(count.used + count.remaining));
      reply.header(`x-ratelimit-remaining-${unit}`, String(count.remaining));
      reply.header(`x-ratelimit-reset-${unit}`, duration(count.reset - now));
    }
  },
  showRefund: (reply, { remaining }) =>
    void reply.header('x-ratelimit-remaining-requests', String(remaining)),
  refuse: (category, refusal) => plain.refuse(category, refusal),
};

const plain: Form = {
  show: showPlain,
  showRefund: showPlainRefund,
  refuse: ({ name }, { unit, count, limits, now }) => {
    const seconds = Math.max(1, Math.ceil((count.reset - now) / 1000));
    const limit = count.used + count.remaining;
    return errors.rate_limit_exceeded({
      values: { category: name, limit, unit, window: limits.window / 1000, seconds },
      headers: { 'retry-after': String(seconds) },
      type: unit,
    });
  },
};

/** The form of a dialect; a plugin's own dialect gets the plain one. */
export function formOf(dialect: string): Form {
  if (dialect === 'github') return github;
  return dialect === 'openai' ? openai : plain;
}

export function secondaryRefusal(seconds: number): ServiceError {
  return errors.secondary_rate_limit({
    headers: { 'retry-after': String(seconds) },
    documentationUrl: SECONDARY_DOCUMENTATION,
  });
}

/** In OpenAI's format: `850ms`, `6s`, `1m30s`, `1h0m0s`. */
function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.ceil(milliseconds))}ms`;
  const seconds = Math.ceil(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${hours > 0 ? `${hours}h` : ''}${minutes > 0 ? `${minutes % 60}m` : ''}${seconds % 60}s`;
}

const GITHUB = ['limit', 'remaining', 'reset', 'used', 'resource'];
const OPENAI = ['limit', 'remaining', 'reset'].flatMap((part) => [`${part}-requests`, `${part}-tokens`]);

/** Headers that other origins' scripts may read. */
export const EXPOSED_HEADERS: readonly string[] = [...GITHUB, ...OPENAI].map((part) => `x-ratelimit-${part}`);
