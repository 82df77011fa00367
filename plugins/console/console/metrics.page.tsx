/** Live metrics: charts since the page was opened, requests by route, and every other series with its value. */
import { LineChart } from '@mantine/charts';
import { Paper, SimpleGrid, Table, Text, Title } from '@mantine/core';
import '@mantine/charts/styles.css';
import {
  CopyRequest,
  Failed,
  Loading,
  NoMatch,
  Page,
  reactPage,
  SearchField,
  useConsole,
  useRead,
  useTexts,
  useUrlState,
} from 'plugboard/console';
import { useEffect, useState, type ReactNode } from 'react';
import classes from './metrics.module.css';
import { DURATION, point, rates, type Point } from './parts/rates.js';
import { routes } from './parts/routes.js';
import { parseMetrics, type Sample } from './parts/prometheus.js';
import { texts } from './texts/index.js';

export const mount = reactPage(MetricsPage);

const REQUEST = { path: '/-/metrics' };
/** Milliseconds between two polls; a chart holds ten minutes. */
const EVERY = 5000;
const MOST = 120;
/** The most rows of a table. */
const LISTED = 200;
/** Columns of a table that hold words; the others hold figures. */
const WORDS = 2;

function MetricsPage(): ReactNode {
  const t = useTexts(texts);
  const [{ search }, setState] = useUrlState({ search: '' });
  const { data, error, refetch, dataUpdatedAt } = useRead<string>(REQUEST, { every: EVERY });
  const [points, setPoints] = useState<readonly Point[]>([]);
  useEffect(() => {
    if (data !== undefined)
      setPoints((before) => [...before, point(dataUpdatedAt, parseMetrics(data))].slice(-MOST));
  }, [data, dataUpdatedAt]);
  return (
    <Page title={t.metrics} summary={t.metricsSummary} actions={<CopyRequest request={REQUEST} />}>
      {error !== null && data === undefined ? (
        <Failed error={error} retry={refetch} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <>
          <Charts points={points} />
          <SearchField
            value={search}
            label={t.searchMetrics}
            onSearch={(text) => setState({ search: text })}
          />
          <Figures samples={parseMetrics(data)} search={search.trim().toLowerCase()} />
        </>
      )}
    </Page>
  );
}

function Charts({ points }: { points: readonly Point[] }): ReactNode {
  const t = useTexts(texts);
  const { language } = useConsole();
  const clock = (at: number): string => new Date(at).toLocaleTimeString(language);
  const data = rates(points).map((one) => ({ ...one, at: clock(one.at) }));
  const charts = [
    {
      title: t.requestsASecond,
      series: [
        ['requests', t.requests, 'indigo.6'],
        ['errors', t.errors, 'red.6'],
      ],
    },
    { title: t.answerTime, series: [['duration', t.answerTime, 'indigo.6']] },
    { title: t.lagTime, series: [['lag', t.lagTime, 'indigo.6']] },
    {
      title: t.memoryUsed,
      series: [
        ['memory', t.memory, 'indigo.6'],
        ['heap', t.heap, 'teal.6'],
      ],
    },
  ] as const;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {charts.map(({ title, series }) => (
        <Paper key={title} withBorder p="md" component="section" aria-label={title}>
          <Title order={2} size="h5" mb="xs">
            {title}
          </Title>
          {data.length < 2 ? (
            <Text size="sm" c="dimmed" h={180}>
              {t.gathering}
            </Text>
          ) : (
            <LineChart
              h={180}
              data={data}
              dataKey="at"
              withDots={false}
              withLegend={series.length > 1}
              gridAxis="x"
              tickLine="none"
              series={series.map(([name, label, color]) => ({ name, label, color }))}
              lineProps={{ isAnimationActive: false }}
              role="img"
              aria-label={`${title}: ${series.map(([name, label]) => `${label} ${data.at(-1)?.[name]}`).join(', ')}`}
            />
          )}
        </Paper>
      ))}
    </SimpleGrid>
  );
}

function Figures({ samples, search }: { samples: readonly Sample[]; search: string }): ReactNode {
  const t = useTexts(texts);
  const found = routes(samples).filter(({ method, route, plugin }) =>
    `${method} ${route} ${plugin}`.toLowerCase().includes(search),
  );
  const series = samples
    .filter(({ name }) => !name.endsWith('_bucket') && !name.startsWith(DURATION))
    .map(({ name, labels, value }) => ({
      name,
      labels: Object.entries(labels)
        .map(([key, shown]) => `${key}=${shown}`)
        .join(' '),
      value,
    }))
    .filter((row) => `${row.name} ${row.labels}`.toLowerCase().includes(search));
  if (found.length + series.length === 0) return <NoMatch />;
  return (
    <>
      <Listed
        name={t.byRoute}
        columns={[t.route, t.plugin, t.requestCount, t.errors, t.meanTime]}
        rows={found.map(({ method, route, plugin, requests, errors, mean }) => ({
          key: `${method} ${route}`,
          cells: [`${method} ${route}`, plugin, figure(requests), figure(errors), figure(mean)],
        }))}
      />
      <Listed
        name={t.otherSeries}
        columns={[t.series, t.labels, t.value]}
        rows={series.map(({ name, labels, value }) => ({
          key: `${name} ${labels}`,
          cells: [name, labels, figure(value)],
        }))}
      />
    </>
  );
}

function figure(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 3 : 0 });
}

interface ListedProps {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly string[] }[];
}

function Listed({ name, columns, rows }: ListedProps): ReactNode {
  const t = useTexts(texts);
  if (rows.length === 0) return null;
  const align = (at: number): 'right' | 'left' => (at < WORDS ? 'left' : 'right');
  return (
    <section aria-label={name}>
      <Title order={2} size="h5" mb="xs">
        {name}
      </Title>
      <Paper withBorder className={classes['frame']!} tabIndex={0} role="region" aria-label={name}>
        <Table aria-label={name}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column, at) => (
                <Table.Th key={column} scope="col" ta={align(at)}>
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, LISTED).map(({ key, cells }) => (
              <Table.Tr key={key}>
                {cells.map((cell, at) => (
                  <Table.Td
                    key={columns[at]}
                    ta={align(at)}
                    className={at < WORDS ? undefined : classes['figure']!}
                  >
                    {cell}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {rows.length > LISTED && (
          <Text size="sm" c="dimmed" p="sm">
            {t.moreSeries(rows.length - LISTED)}
          </Text>
        )}
      </Paper>
    </section>
  );
}
