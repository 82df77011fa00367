/** Usage as bars: vertical over time, horizontal by name. */
import { BarChart } from '@mantine/charts';
import { useTexts } from 'plugboard/console';
import '@mantine/charts/styles.css';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { compact, dollars } from './figures.js';
import { mostOf, tokensRead, tokensWritten, type Measure, type NamedSums } from './sums.js';

/** Horizontal bars that fit into the chart; the table has all. */
const MOST_NAMES = 12;
const HEIGHT = 260;
const HEIGHT_OF_NAME = 34;

export interface UsageChartProps {
  readonly data: readonly NamedSums[];
  readonly measure: Measure;
  /** Whether the names are points in time, in order. */
  readonly overTime: boolean;
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
}

export function UsageChart({ data, measure, overTime, label }: UsageChartProps): ReactNode {
  const t = useTexts(texts);
  const shown = overTime ? data : mostOf(data, measure).slice(0, MOST_NAMES);
  const series = {
    calls: [
      { name: 'ok', label: t.succeeded, color: 'indigo.6' },
      { name: 'errors', label: t.errors, color: 'red.6' },
    ],
    tokens: [
      { name: 'in', label: t.tokensIn, color: 'indigo.6' },
      { name: 'out', label: t.tokensOut, color: 'teal.6' },
    ],
    cost: [{ name: 'cost', label: t.cost, color: 'indigo.6' }],
  }[measure];
  const rows = shown.map((sums) => ({
    name: overTime ? sums.name.slice(5, 16).replace('T', ' ') : sums.name,
    ok: sums.calls - sums.errors,
    errors: sums.errors,
    in: tokensRead(sums),
    out: tokensWritten(sums),
    cost: sums.cost,
  }));
  return (
    <BarChart
      h={overTime ? HEIGHT : Math.max(140, rows.length * HEIGHT_OF_NAME + 70)}
      data={rows}
      dataKey="name"
      type="stacked"
      orientation={overTime ? 'horizontal' : 'vertical'}
      withLegend={series.length > 1}
      legendProps={{ verticalAlign: 'top' }}
      gridAxis={overTime ? 'x' : 'y'}
      tickLine="none"
      {...(!overTime && { yAxisProps: { width: 150 } })}
      valueFormatter={measure === 'cost' ? dollars : compact}
      series={series}
      barProps={{ maxBarSize: overTime ? 40 : 18, isAnimationActive: false }}
      role="img"
      aria-label={label}
    />
  );
}
