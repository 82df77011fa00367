import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { MetricsRegistry } from '../../../kernel/metrics/registry.js';

let registry: MetricsRegistry;
beforeEach(() => void (registry = new MetricsRegistry()));
afterEach(() => registry.close());

/** The text after the line that begins so, up to the next metric. */
async function of(name: string): Promise<string> {
  const text = await registry.text();
  const start = text.indexOf(`# HELP ${name} `);
  const end = text.indexOf('# HELP', start + 1);
  return text.slice(start, end === -1 ? undefined : end);
}

test('a histogram counts up to each bound, with the sum and the count', async () => {
  const sizes = registry
    .forPlugin('shop')
    .histogram('sizes', 'How large', { labels: ['kind'], buckets: [1, 5] });
  for (const size of [0.5, 1, 3, 9]) sizes.observe(size, { kind: 'cup' });
  assert.equal(
    await of('sizes'),
    `# HELP sizes How large
# TYPE sizes histogram
sizes_bucket{plugin="shop",kind="cup",le="1"} 2
sizes_bucket{plugin="shop",kind="cup",le="5"} 3
sizes_bucket{plugin="shop",kind="cup",le="+Inf"} 4
sizes_sum{plugin="shop",kind="cup"} 13.5
sizes_count{plugin="shop",kind="cup"} 4
`,
  );
});

test('two instances share a metric, and what labels hold is escaped', async () => {
  registry.forPlugin('one').counter('words_total', 'Of "both"\n\\', ['word']).add(1, { word: 'a"b\n\\' });
  const two = registry.forPlugin('two').counter('words_total', 'Of both', ['word']);
  two.add(1, { word: 'c' });
  two.add(2, { word: 'c' });
  assert.equal(
    await of('words_total'),
    String.raw`# HELP words_total Of "both"\n\\
# TYPE words_total counter
words_total{plugin="one",word="a\"b\n\\"} 1
words_total{plugin="two",word="c"} 3
`,
  );
});

test('a gauge has its last value, and the metrics of the process are there too', async () => {
  const open = registry.forPlugin('shop').gauge('open', 'Doors');
  open.set(3);
  open.set(2);
  assert.equal(await of('open'), '# HELP open Doors\n# TYPE open gauge\nopen{plugin="shop"} 2\n');
  assert.match(await of('process_resident_memory_bytes'), /^process_resident_memory_bytes [1-9]\d+$/m);
  assert.match(await of('plugboard_event_loop_lag_seconds'), /^plugboard_event_loop_lag_seconds \d/m);
});

test('what is no label of a metric, no count, or another kind of metric is refused', () => {
  const metrics = registry.forPlugin('shop');
  const counter = metrics.counter('sold_total', 'Sold', ['kind']);
  assert.throws(() => counter.add(1, { colour: 'red' }), /"sold_total" has no label "colour"/);
  for (const value of [-1, NaN, Infinity]) assert.throws(() => counter.add(value), /cannot count up/);
  assert.throws(() => metrics.gauge('sold_total', 'Sold'), /"sold_total" is a counter/);
});

test('a name that Prometheus cannot read, or that the server has, is refused where the metric is made', () => {
  const metrics = registry.forPlugin('shop');
  for (const name of ['', 'two words', '1st', 'a-b', 'process_uptime_seconds', 'plugboard_http'])
    assert.throws(() => metrics.counter(name, 'Sold'), /cannot be the name of a plugin's metric/, name);
  for (const label of ['', 'two words', '1st', '__name', 'plugin', 'le'])
    assert.throws(() => metrics.gauge('open', 'Doors', [label]), /cannot have a label/, label);
});

test('callers that ask at the same time share one text', async () => {
  assert.equal(registry.text(), registry.text());
  const first = registry.text();
  await first;
  assert.notEqual(registry.text(), first);
});
