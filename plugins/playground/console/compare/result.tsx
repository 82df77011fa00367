/** A run: the best version and model, the cost, and every answer. */
import { Badge, Group, Paper, Select, Stack, Table, Text, Title } from '@mantine/core';
import { Failed, useRead, useTexts, useUrlState } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { Answers } from './answers.js';
import { dollars, type Run, type RunHead, type Summary } from './api.js';
import classes from './compare.module.css';

export function Result({ path }: { path: string }): ReactNode {
  const t = useTexts(texts);
  const [{ run: chosen }, setState] = useUrlState({ run: '' });
  const runs = useRead<{ runs: RunHead[] }>({ path: `${path}/runs` }).data?.runs ?? [];
  const id = chosen || runs.find(({ state }) => state !== 'running')?.id;
  const read = useRead<Run>(id === undefined ? undefined : { path: `/api/playground/runs/${id}` });
  if (read.error !== null && read.data === undefined) return <Failed error={read.error} />;
  const run = read.data;
  if (id === undefined || run === undefined) return null;
  return (
    <Stack gap="sm" component="section" aria-label={t.result}>
      <Group justify="space-between" align="flex-end">
        <Group gap="xs">
          <Title order={2} size="h3">
            {t.result}
          </Title>
          {run.state === 'stopped' && <Badge color="yellow">{t.stoppedAfter(run.done, run.total)}</Badge>}
        </Group>
        <Select
          aria-label={t.runs}
          data={runs.map((one) => ({ value: one.id, label: nameOf(one) }))}
          value={run.id}
          onChange={(next) => setState({ run: next ?? '' })}
          allowDeselect={false}
          w={300}
        />
      </Group>
      <Paper withBorder className={classes['frame']!} tabIndex={0} role="region" aria-label={t.summary}>
        <Table verticalSpacing="sm" horizontalSpacing="md" aria-label={t.summary}>
          <Table.Thead>
            <Table.Tr>
              {[t.version, t.model, t.passed, t.failures, t.meanTime, t.tokens, t.cost].map((title, at) => (
                <Table.Th
                  key={title}
                  scope="col"
                  ta={at > 2 ? 'right' : 'left'}
                  className={classes['title']!}
                >
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {run.summary.map((one, at) => (
              <SummaryRow key={`${one.version} ${one.model}`} one={one} best={at === 0 && one.passed > 0} />
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Td colSpan={6}>
                <Text size="sm" c="dimmed">
                  {t.wholeCost}
                </Text>
              </Table.Td>
              <Table.Td ta="right" className={classes['figure']!}>
                <Text size="sm" fw={600}>
                  {dollars(run.cost)}
                </Text>
              </Table.Td>
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      </Paper>
      <Answers run={run} />
    </Stack>
  );
}

function SummaryRow({ one, best }: { one: Summary; best: boolean }): ReactNode {
  const t = useTexts(texts);
  return (
    <Table.Tr>
      <Table.Td>{one.version}</Table.Td>
      <Table.Td>{one.model}</Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" className={classes['figure']!}>
            {one.checked === 0 ? '–' : `${one.passed} / ${one.checked}`}
          </Text>
          {best && <Badge color="green">{t.best}</Badge>}
        </Group>
      </Table.Td>
      {[
        String(one.failed),
        one.ms === null ? '–' : `${one.ms.toLocaleString()} ms`,
        `${one.tokens_in.toLocaleString()} / ${one.tokens_out.toLocaleString()}`,
        dollars(one.cost),
      ].map((text, at) => (
        <Table.Td key={at} ta="right" className={classes['figure']!}>
          {text}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function nameOf({ started_at: at, state, cost }: RunHead): string {
  const time = new Date(at).toLocaleString();
  return state === 'running' ? `${time} …` : `${time} · ${dollars(cost)}`;
}
