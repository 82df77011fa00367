/** Telemetry: traces, metrics and logs for an OpenTelemetry collector, from the kernel's hooks. */
import { hostname } from 'node:os';
import { CLOCK, definePlugin, METRICS, type Hooks } from 'plugboard/sdk';
import { Exporter } from './exporter.js';
import { Measures, withMeasures } from './measures.js';
import { LEVELS, LONGEST_LINE, recordOf } from './logs.js';
import { type Histogram, type LogRecord, logsBody, metricsBody, type Span, tracesBody } from './otlp.js';
import { Config } from './schema.js';
import { spanHook, type Begun } from './spans.js';
import { writeContext } from './trace-context.js';

export default definePlugin({
  name: 'telemetry',
  api: 1,
  summary: 'sends traces, metrics and logs to a collector of OpenTelemetry',
  config: Config,
  needs: { clock: CLOCK, metrics: METRICS },
  observes: ['request', 'guard', 'store', 'job', 'call', 'log'],
  setup({ config, needs: { clock, metrics }, log, signal, onStop }) {
    const { endpoint, headers, service, attributes, traces, logs, metricsEvery } = config;
    const resource = {
      'service.name': service,
      'service.instance.id': `${hostname()}-${process.pid}`,
      ...attributes,
    };
    const dropped = metrics.counter(
      'dropped_total',
      'Spans, lines of the log and exports of metrics that no collector took',
    );
    const parts = { headers, dropped, log };
    const base = endpoint.replace(/\/$/, '');
    const spans = new Exporter<Span>({
      ...parts,
      url: `${base}/v1/traces`,
      body: (batch: readonly Span[]) => tracesBody(resource, batch),
    });
    const since = clock.now();
    const measured = new Exporter<readonly Histogram[]>({
      ...parts,
      url: `${base}/v1/metrics`,
      // Cumulative: the newest of several queued ones has it all.
      body: (batch: readonly (readonly Histogram[])[]) =>
        metricsBody(resource, batch.at(-1) ?? [], { since, now: clock.now() }),
    });
    const lines = new Exporter<LogRecord>({
      ...parts,
      url: `${base}/v1/logs`,
      body: (batch: readonly LogRecord[]) => logsBody(resource, batch),
    });
    const measures = new Measures();
    const tracing = { ...traces, add: (span: Span) => spans.add(span) };
    const hooks: Hooks = {
      request: spanHook('request', tracing),
      guard: spanHook('guard', tracing),
      store: spanHook('store', tracing),
      job: spanHook('job', tracing),
      call: spanHook('call', tracing),
      carries: (own) => writeContext((own as Begun).context),
      ...(logs !== 'none' && {
        log(line: string, own: unknown) {
          if (line.length > LONGEST_LINE) return dropped.add(1);
          const record = recordOf(line, LEVELS[logs], (own as Begun | undefined)?.context);
          if (record !== undefined) lines.add(record);
        },
      }),
    };
    return {
      hooks: metricsEvery === 0 ? hooks : withMeasures(hooks, measures),
      start() {
        const sending = [spans.run(signal), lines.run(signal)];
        onStop(() => Promise.all(sending));
        if (metricsEvery === 0) return;
        sending.push(measured.run(signal));
        const timer = setInterval(() => {
          const histograms = measures.histograms();
          if (histograms.length > 0) measured.add(histograms);
        }, metricsEvery * 1000);
        timer.unref();
        signal.addEventListener('abort', () => clearInterval(timer), { once: true });
      },
    };
  },
});
