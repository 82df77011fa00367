/** Starts a run, shows its progress, and stops it. */
import { Alert, Button, Group, MultiSelect, Progress, Stack, Text } from '@mantine/core';
import { call, describe, queries, useConsole, useRead, useTexts, useUrlState } from 'plugboard/console';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { Example, Run, RunHead, Version } from './api.js';

interface RunBarProps {
  /** Of the preset. */
  readonly path: string;
  readonly models: readonly string[];
  readonly versions: readonly Version[];
  readonly examples: readonly Example[];
}

export function RunBar({ path, models, versions, examples }: RunBarProps): ReactNode {
  const t = useTexts(texts);
  const context = useConsole();
  const [, setState] = useUrlState({ run: '' });
  const [over, setOver] = useState<readonly string[]>(() => [...new Set(versions.map(({ model }) => model))]);
  const [state, setRunning] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const running = useRef<AbortController>(undefined);
  // Leaving the page ends the run: nobody waits for it.
  useEffect(() => () => running.current?.abort(), []);
  const judges = examples.flatMap(({ checks }) => checks).filter(({ kind }) => kind === 'judge').length;
  const calls = versions.length * over.length * (Math.max(examples.length, 1) + judges);

  const run = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setRunning({ busy: true });
    try {
      const body = { versions: versions.map(({ version }) => version), models: over };
      const { id } = await call<Run>(
        context,
        { method: 'POST', path: `${path}/run`, body },
        controller.signal,
      );
      setRunning({ busy: false });
      setState({ run: id });
    } catch (error) {
      setRunning({ busy: false, ...(!controller.signal.aborted && { error }) });
    }
    await queries.invalidateQueries({
      predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/api/playground/'),
    });
  };
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="xs">
        <MultiSelect
          label={t.overModels}
          data={[...models]}
          value={[...over]}
          onChange={setOver}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t.noModels }}
          maxValues={10}
          flex="1 1 260px"
        />
        {state.busy ? (
          <Button color="red" variant="light" onClick={() => running.current?.abort()}>
            {t.stop}
          </Button>
        ) : (
          <Button disabled={calls === 0} onClick={() => void run()}>
            {t.run(calls)}
          </Button>
        )}
      </Group>
      {state.busy && <Underway path={path} />}
      {state.error !== undefined && (
        <Alert role="alert" color="red" variant="light">
          {describe(state.error)}
        </Alert>
      )}
    </Stack>
  );
}

function Underway({ path }: { path: string }): ReactNode {
  const t = useTexts(texts);
  const last = useRead<{ runs: RunHead[] }>({ path: `${path}/runs` }, { every: 1_000 }).data?.runs[0];
  const { done, total } = last?.state === 'running' ? last : { done: 0, total: 0 };
  return (
    <Stack gap={4}>
      <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={t.progress} animated />
      <Text size="xs" c="dimmed" role="status">
        {t.answersThere(done, total)}
      </Text>
    </Stack>
  );
}
