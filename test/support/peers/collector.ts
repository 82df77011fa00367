/** A collector of OTLP as JSON, strict about its form, on a real socket. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
}

export interface CollectedMetric {
  readonly name: string;
  readonly unit: string;
  readonly histogram: {
    readonly dataPoints: readonly {
      readonly count: string;
      readonly sum: number;
      readonly bucketCounts: readonly string[];
      readonly explicitBounds: readonly number[];
    }[];
  };
}

export interface CollectedLog {
  readonly timeUnixNano: string;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly body: { readonly stringValue: string };
  readonly attributes: CollectedSpan['attributes'];
  readonly traceId?: string;
  readonly spanId?: string;
}

export class Collector implements AsyncDisposable {
  readonly spans: CollectedSpan[] = [];
  readonly metrics: CollectedMetric[] = [];
  readonly logs: CollectedLog[] = [];
  /** Of all requests. */
  readonly bodies: string[] = [];
  readonly keys: (string | undefined)[] = [];
  readonly wrong: unknown[] = [];
  /** What the next ones are answered; undefined: nothing at all. */
  answer: (() => number | undefined) | undefined;
  readonly #server = createServer((request, response) => {
    void text(request).then((body) => {
      const status = this.answer === undefined ? 200 : this.answer();
      this.bodies.push(body);
      this.keys.push(request.headers['x-vendor-key'] as string | undefined);
      if (status === undefined) return;
      if (status === 200) this.#take(request.url ?? '', body);
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });

  static async start(): Promise<Collector> {
    const collector = new Collector();
    collector.#server.listen(0, '127.0.0.1');
    await once(collector.#server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #take(path: string, body: string): void {
    try {
      if (path === '/v1/traces') this.spans.push(...spansOf(body));
      else if (path === '/v1/metrics') this.metrics.splice(0, Infinity, ...metricsOf(body));
      else if (path === '/v1/logs') this.logs.push(...logsOf(body));
      else assert.fail(path);
    } catch (error) {
      this.wrong.push(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

function spansOf(body: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { resource: { attributes: unknown[] }; scopeSpans: { spans: CollectedSpan[] }[] }[];
  };
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    assert.ok(resource.attributes.length > 0);
    return scopeSpans.flatMap(({ spans }) => spans.map(checked));
  });
}

function checked(span: CollectedSpan): CollectedSpan {
  assert.match(span.traceId, /^[0-9a-f]{32}$/);
  assert.match(span.spanId, /^[0-9a-f]{16}$/);
  if (span.parentSpanId !== undefined) assert.match(span.parentSpanId, /^[0-9a-f]{16}$/);
  for (const time of [span.startTimeUnixNano, span.endTimeUnixNano]) assert.match(time, /^\d{19}$/);
  assert.ok(BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano));
  for (const { value } of span.attributes) assert.equal(Object.keys(value).length, 1);
  return span;
}

function logsOf(body: string): CollectedLog[] {
  const { resourceLogs } = JSON.parse(body) as {
    resourceLogs: { scopeLogs: { logRecords: CollectedLog[] }[] }[];
  };
  const logs = resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords));
  for (const { timeUnixNano, severityNumber, traceId, spanId, attributes } of logs) {
    assert.match(timeUnixNano, /^\d{19}$/);
    assert.ok(severityNumber >= 1 && severityNumber <= 24);
    assert.equal(traceId === undefined, spanId === undefined);
    for (const { value } of attributes) assert.equal(Object.keys(value).length, 1);
  }
  return logs;
}

function metricsOf(body: string): CollectedMetric[] {
  const { resourceMetrics } = JSON.parse(body) as {
    resourceMetrics: { scopeMetrics: { metrics: CollectedMetric[] }[] }[];
  };
  const metrics = resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((each) => each.metrics));
  for (const { histogram } of metrics)
    for (const { count, bucketCounts, explicitBounds } of histogram.dataPoints) {
      assert.equal(bucketCounts.length, explicitBounds.length + 1);
      assert.equal(
        bucketCounts.reduce((all, one) => all + BigInt(one), 0n),
        BigInt(count),
      );
    }
  return metrics;
}

export function attribute(span: Pick<CollectedSpan, 'attributes'> | undefined, key: string): unknown {
  return Object.values(span?.attributes.find((each) => each.key === key)?.value ?? {})[0];
}
