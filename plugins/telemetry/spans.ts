/**
 * Spans of the work that hooks report, by the semantic conventions of OpenTelemetry. Those of GenAI are not stable yet:
 * their names are only in genai.ts.
 */
import type { Hook, Work, WorkEnd, WorkKind } from 'plugboard/sdk';
import { callAttributes, callName } from './genai.js';
import { SPAN_KIND, type Attributes, type Span } from './otlp.js';
import { childOf, newTrace, readContext, type TraceContext } from './trace-context.js';

/** A hook's state for running work. */
export interface Begun {
  readonly context: TraceContext;
  readonly parent: string | undefined;
  readonly link: TraceContext | undefined;
}

export interface Tracing {
  /** The sampled fraction of traces that begin here. */
  readonly sample: number;
  readonly trustCallers: boolean;
  readonly add: (span: Span) => void;
}

interface Shape<K extends WorkKind> {
  readonly kind: number;
  name(work: Work[K]): string;
  attributes(work: Work[K], end: WorkEnd[K]): Attributes;
  error(end: WorkEnd[K]): string | null;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE'];

const SHAPES: { readonly [K in WorkKind]: Shape<K> } = {
  request: {
    kind: SPAN_KIND.server,
    name: ({ method, route }) => (route === '' ? knownMethod(method) : `${knownMethod(method)} ${route}`),
    attributes: ({ id, method, route, plugin }, { status, tenant }) => ({
      'http.request.method': knownMethod(method),
      'http.route': route === '' ? null : route,
      'http.response.status_code': status,
      'plugboard.plugin': plugin,
      'plugboard.request_id': id,
      'plugboard.tenant': tenant,
    }),
    // A 4xx is the caller's error.
    error: ({ status }) => (status !== null && status < 500 ? null : String(status ?? 'client_left')),
  },
  guard: {
    kind: SPAN_KIND.internal,
    name: () => 'guard',
    attributes: ({ plugin }, { tenant }) => ({ 'plugboard.plugin': plugin, 'plugboard.tenant': tenant }),
    error: ({ error }) => error,
  },
  store: {
    kind: SPAN_KIND.client,
    name: ({ operation, collection }) => (collection === null ? operation : `${operation} ${collection}`),
    attributes: ({ plugin, collection, operation }) => ({
      'db.system.name': 'plugboard',
      'db.namespace': plugin,
      'db.collection.name': collection,
      'db.operation.name': operation,
    }),
    error: ({ error }) => error,
  },
  job: {
    kind: SPAN_KIND.consumer,
    name: ({ name }) => `job ${name}`,
    attributes: ({ id, plugin, attempt }, { outcome }) => ({
      'plugboard.plugin': plugin,
      'plugboard.job.id': id,
      'plugboard.job.attempt': attempt,
      'plugboard.job.outcome': outcome,
    }),
    error: ({ outcome, error }) => (outcome === 'done' ? null : (error ?? outcome)),
  },
  call: {
    kind: SPAN_KIND.client,
    name: callName,
    attributes: callAttributes,
    error: ({ error }) => error,
  },
};

export function spanHook<K extends WorkKind>(kind: K, tracing: Tracing): Hook<K> {
  const shape = SHAPES[kind] as Shape<K>;
  return {
    begin: (work, outer) => begin(kind, work, outer as Begun | undefined, tracing),
    end: (end, own, work) => {
      const { context, parent, link } = (own as Begun | undefined) ?? {};
      if (context?.sampled !== true) return;
      tracing.add({
        traceId: context.traceId,
        spanId: context.spanId,
        parentSpanId: parent,
        name: shape.name(work),
        kind: shape.kind,
        at: work.at,
        duration: end.duration,
        attributes: shape.attributes(work, end),
        error: shape.error(end),
        link: link && { traceId: link.traceId, spanId: link.spanId },
      });
    },
  };
}

function begin(
  kind: WorkKind,
  work: Work[WorkKind],
  outer: Begun | undefined,
  { sample, trustCallers }: Tracing,
): Begun | undefined {
  if (outer !== undefined)
    return { context: childOf(outer.context), parent: outer.context.spanId, link: undefined };
  // Spans of the server's own work, such as its round trips to the store, would be the majority.
  if (kind !== 'request' && kind !== 'job' && kind !== 'call') return undefined;
  const sent = 'carried' in work ? readContext(work.carried) : undefined;
  const chosen = Math.random() < sample;
  if (sent === undefined) return { context: newTrace(chosen), parent: undefined, link: undefined };
  // A job runs later than the work that requested it: a separate trace, with a link.
  if (kind === 'job') return { context: newTrace(sent.sampled), parent: undefined, link: sent };
  const sampled = trustCallers ? sent.sampled : chosen;
  return { context: childOf({ ...sent, sampled }), parent: sent.spanId, link: undefined };
}

/** A method known to the conventions, or `_OTHER`: callers can send any. */
export function knownMethod(method: string): string {
  return METHODS.includes(method) ? method : '_OTHER';
}
