/** Calls added up: figures, a chart, the table under it, and from each row the calls themselves. */
import { Group, Paper, SegmentedControl, Select, SimpleGrid, Stack, Text } from '@mantine/core';
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
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { compact, daysAgo, dollars, percent } from './figures.js';
import { useKeyNames } from './key-names.js';
import { everyDay, tokensRead, tokensWritten, type Measure, type Sums, type Summary } from './sums.js';
import { UsageChart } from './usage-chart.js';
import { UsageFigures } from './usage-figures.js';

/** What the list of calls can be filtered by. */
const LISTED: readonly string[] = ['day', 'model', 'key', 'upstream'];

export function Usage(): ReactNode {
  const t = useTexts(texts);
  const { navigate, page } = useConsole();
  const names = useKeyNames();
  const [{ by, days, key, show }, setState] = useUrlState({ by: 'day', days: '30', key: '', show: 'calls' });
  const measure = show as Measure;
  const from = daysAgo(Number(days) - 1);
  const request = { path: '/api/usage', query: { group: by, from, key } };
  const read = useRead<Summary>(request);
  const titleOf = (name: string): string => (by === 'key' ? (names.get(name) ?? name) : name);
  const openCalls = (name: string): void =>
    navigate(
      `/${page.plugin}/${page.id}?view=calls&${new URLSearchParams({ ...(key && { key }), [by]: name })}`,
    );
  const keys = Array.from(names, ([value, label]) => ({ value, label }));
  if (key !== '' && !names.has(key)) keys.push({ value: key, label: key });
  const data = read.data && (by === 'day' ? everyDay(read.data.data, from) : read.data.data);
  const label = t.groups[by] ?? by;
  return (
    <Stack>
      <Group gap="sm">
        <Select
          aria-label={t.group}
          value={by}
          onChange={(next) => setState({ by: next ?? 'day' })}
          data={Object.entries(t.groups).map(([value, text]) => ({ value, label: t.by(text) }))}
          allowDeselect={false}
          w={150}
        />
        <Select
          aria-label={t.range}
          value={days}
          onChange={(next) => setState({ days: next ?? '30' })}
          data={['1', '7', '30', '90'].map((value) => ({ value, label: t.days(Number(value)) }))}
          allowDeselect={false}
          w={120}
        />
        {keys.length > 0 && (
          <Select
            aria-label={t.key}
            placeholder={t.allKeys}
            value={key === '' ? null : key}
            onChange={(next) => setState({ key: next ?? '' })}
            data={keys}
            searchable
            clearable
            limit={100}
            clearButtonProps={{ 'aria-label': t.allKeys }}
            w={200}
          />
        )}
        <SegmentedControl
          aria-label={t.measure}
          value={measure}
          onChange={(next) => setState({ show: next })}
          data={[
            { value: 'calls', label: t.calls },
            { value: 'tokens', label: t.tokens },
            { value: 'cost', label: t.cost },
          ]}
        />
        <CopyRequest request={request} />
      </Group>
      {read.error !== null ? (
        <Failed error={read.error} retry={read.refetch} />
      ) : read.data === undefined || data === undefined ? (
        <Loading />
      ) : read.data.total.calls === 0 ? (
        <Empty title={t.noUsage} action={<RequestToCopy request={request} />}>
          {t.noUsageHint}
        </Empty>
      ) : (
        <>
          <Totals total={read.data.total} />
          <Paper withBorder p="md">
            <UsageChart
              data={data.map((sums) => ({ ...sums, name: titleOf(sums.name) }))}
              measure={measure}
              overTime={by === 'day' || by === 'hour'}
              label={t.chart(label)}
            />
          </Paper>
          <UsageFigures
            data={by === 'day' ? read.data.data.toReversed() : read.data.data}
            total={read.data.total}
            label={label}
            titleOf={titleOf}
            onOpen={LISTED.includes(by) ? openCalls : undefined}
          />
        </>
      )}
    </Stack>
  );
}

function Totals({ total }: { total: Sums }): ReactNode {
  const t = useTexts(texts);
  const tokensIn = tokensRead(total);
  const tokensOut = tokensWritten(total);
  const figures = [
    { title: t.calls, value: total.calls.toLocaleString() },
    { title: t.errors, value: total.errors.toLocaleString(), more: percent(total.errors, total.calls) },
    {
      title: t.tokens,
      value: compact(tokensIn + tokensOut),
      more: t.inAndOut(compact(tokensIn), compact(tokensOut)),
    },
    {
      title: t.cost,
      value: dollars(total.cost),
      ...(total.unpriced > 0 && { more: t.unpriced(total.unpriced) }),
    },
  ];
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      {figures.map(({ title, value, more }) => (
        <Paper key={title} withBorder p="sm" px="md">
          <Text size="xs" c="dimmed">
            {title}
          </Text>
          <Text size="xl" fw={600}>
            {value}
          </Text>
          <Text size="xs" c="dimmed">
            {more}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
