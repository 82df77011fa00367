/** Calls added up: a chart, the table of its figures under it, and from each row the calls themselves. */
import { BarChart } from '@mantine/charts';
import { Anchor, Group, Paper, SegmentedControl, Select, Stack, Table } from '@mantine/core';
import {
  CopyRequest,
  Empty,
  Failed,
  Loading,
  RequestToCopy,
  useConsole,
  useRead,
  useTexts,
  useUrlState,
} from 'plugboard/console';
import '@mantine/charts/styles.css';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { daysAgo } from './figures.js';
import classes from './usage.module.css';

interface Sums {
  readonly calls: number;
  readonly errors: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly estimatedIn: number;
  readonly estimatedOut: number;
}
interface Summary {
  readonly data: readonly (Sums & { readonly name: string })[];
  readonly total: Sums;
}

/** Bars that the chart has room for; the table has all. */
const BARS = 31;

export function Usage(): ReactNode {
  const t = useTexts(texts);
  const { navigate, page } = useConsole();
  const [{ by, days }, setState] = useUrlState({ by: 'day', days: '30' });
  const request = { path: '/api/usage', query: { group: by, from: daysAgo(Number(days) - 1) } };
  const read = useRead<Summary>(request);
  const groups = [
    { value: 'day', label: t.byDay },
    { value: 'model', label: t.byModel },
    { value: 'key', label: t.byKey },
    { value: 'upstream', label: t.byUpstream },
  ];
  const label = groups.find(({ value }) => value === by)?.label ?? by;
  const openCalls = (name: string): void =>
    navigate(`/${page.plugin}/${page.id}?view=calls&${new URLSearchParams({ [by]: name })}`);
  return (
    <Stack>
      <Group gap="sm">
        <SegmentedControl
          aria-label={t.group}
          value={by}
          onChange={(next) => setState({ by: next })}
          data={groups}
        />
        <Select
          aria-label={t.range}
          value={days}
          onChange={(next) => setState({ days: next ?? '30' })}
          data={['1', '7', '30', '90'].map((value) => ({ value, label: t.days(Number(value)) }))}
          allowDeselect={false}
          w={120}
        />
        <CopyRequest request={request} />
      </Group>
      {read.error !== null ? (
        <Failed error={read.error} retry={read.refetch} />
      ) : read.data === undefined ? (
        <Loading />
      ) : read.data.data.length === 0 ? (
        <Empty title={t.noUsage} action={<RequestToCopy request={request} />}>
          {t.noUsageHint}
        </Empty>
      ) : (
        <>
          <Paper withBorder p="md">
            <BarChart
              h={260}
              data={read.data.data
                .slice(0, BARS)
                .map(({ name, calls, errors }) => ({ name, ok: calls - errors, errors }))}
              dataKey="name"
              type="stacked"
              withLegend
              gridAxis="x"
              tickLine="none"
              series={[
                { name: 'ok', label: t.calls, color: 'indigo.6' },
                { name: 'errors', label: t.errors, color: 'red.6' },
              ]}
              barProps={{ maxBarSize: 40, isAnimationActive: false }}
              role="img"
              aria-label={t.chart(label)}
            />
          </Paper>
          <Figures summary={read.data} label={label} onOpen={openCalls} />
        </>
      )}
    </Stack>
  );
}

interface FiguresProps {
  readonly summary: Summary;
  readonly label: string;
  onOpen(name: string): void;
}

function Figures({ summary: { data, total }, label, onOpen }: FiguresProps): ReactNode {
  const t = useTexts(texts);
  return (
    <Paper withBorder className={classes['frame']!} tabIndex={0} role="region" aria-label={t.usage}>
      <Table aria-label={t.usage}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{label}</Table.Th>
            {[t.calls, t.errors, t.tokensIn, t.tokensOut].map((title) => (
              <Table.Th key={title} scope="col" ta="right">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map(({ name, ...sums }) => (
            <Table.Tr key={name}>
              <Table.Td>
                <Anchor component="button" size="sm" title={t.showCalls(name)} onClick={() => onOpen(name)}>
                  {name}
                </Anchor>
              </Table.Td>
              <SumsCells sums={sums} />
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">{t.total}</Table.Th>
            <SumsCells sums={total} />
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Paper>
  );
}

/** Tokens that the upstream did not report are counted by the server, and said to be. */
function SumsCells({ sums }: { sums: Sums }): ReactNode {
  const t = useTexts(texts);
  const tokens = (told: number, estimated: number): string => {
    const sum = (told + estimated).toLocaleString();
    return estimated > 0 ? `${sum} (${t.estimated} ${estimated.toLocaleString()})` : sum;
  };
  return [
    sums.calls.toLocaleString(),
    sums.errors.toLocaleString(),
    tokens(sums.tokensIn, sums.estimatedIn),
    tokens(sums.tokensOut, sums.estimatedOut),
  ].map((text, at) => (
    <Table.Td key={at} ta="right" className={classes['figure']!}>
      {text}
    </Table.Td>
  ));
}
