/**
 * OTLP as JSON (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): ids in hexadecimal, 64-bit numbers
 * as texts, enumerations as numbers.
 */

import type { TraceContext } from './trace-context.js';

export type AttributeValue = string | number | boolean;
export type Attributes = Readonly<Record<string, AttributeValue | null | undefined>>;

/** From the specification. */
export const SPAN_KIND = { internal: 1, server: 2, client: 3, consumer: 5 } as const;
const STATUS_ERROR = 2;
const CUMULATIVE = 2;

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  /** Milliseconds since 1970, with fractions. */
  readonly at: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly attributes: Attributes;
  /** A code or the name of an error. */
  readonly error: string | null;
  readonly link: { readonly traceId: string; readonly spanId: string } | undefined;
}

export interface LogRecord {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly severity: readonly [number: number, text: string];
  readonly body: string;
  readonly attributes: Attributes;
  readonly context: TraceContext | undefined;
}

/** The counts of a histogram since `since`. */
export interface HistogramPoint {
  readonly attributes: Attributes;
  readonly bounds: readonly number[];
  /** One more than there are bounds. */
  readonly counts: readonly number[];
  readonly sum: number;
}

export interface Histogram {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly HistogramPoint[];
}

export function tracesBody(resource: Attributes, spans: readonly Span[]): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: SCOPE, spans: spans.map(spanOf) }],
      },
    ],
  };
}

export function logsBody(resource: Attributes, records: readonly LogRecord[]): object {
  return {
    resourceLogs: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeLogs: [{ scope: SCOPE, logRecords: records.map(logRecordOf) }],
      },
    ],
  };
}

/** `since`, `now`: milliseconds since 1970. */
export function metricsBody(
  resource: Attributes,
  histograms: readonly Histogram[],
  { since, now }: { readonly since: number; readonly now: number },
): object {
  const times = { startTimeUnixNano: nanoseconds(since), timeUnixNano: nanoseconds(now) };
  const metrics = histograms.map(({ name, unit, points }) => ({
    name,
    unit,
    histogram: {
      aggregationTemporality: CUMULATIVE,
      dataPoints: points.map(({ attributes, bounds, counts, sum }) => ({
        ...times,
        attributes: attributesOf(attributes),
        count: String(counts.reduce((all, count) => all + count, 0)),
        sum,
        bucketCounts: counts.map(String),
        explicitBounds: bounds,
      })),
    },
  }));
  return {
    resourceMetrics: [
      { resource: { attributes: attributesOf(resource) }, scopeMetrics: [{ scope: SCOPE, metrics }] },
    ],
  };
}

const SCOPE = { name: 'plugboard' };

function spanOf({
  traceId,
  spanId,
  parentSpanId,
  name,
  kind,
  at,
  duration,
  attributes,
  error,
  link,
}: Span): object {
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind,
    startTimeUnixNano: nanoseconds(at),
    endTimeUnixNano: nanoseconds(at + duration),
    attributes: attributesOf(error === null ? attributes : { ...attributes, 'error.type': error }),
    ...(link && { links: [link] }),
    status: error === null ? {} : { code: STATUS_ERROR },
  };
}

function logRecordOf({ at, severity, body, attributes, context }: LogRecord): object {
  const [severityNumber, severityText] = severity;
  return {
    timeUnixNano: nanoseconds(at),
    observedTimeUnixNano: nanoseconds(at),
    severityNumber,
    severityText,
    body: { stringValue: body },
    attributes: attributesOf(attributes),
    ...(context && { traceId: context.traceId, spanId: context.spanId, flags: context.sampled ? 1 : 0 }),
  };
}

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: valueOf(value) }],
  );
}

function valueOf(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** A text, as it has more digits than a number can hold. */
function nanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const rest = Math.floor((milliseconds - whole) * 1e6);
  return `${whole}${String(rest).padStart(6, '0')}`;
}
