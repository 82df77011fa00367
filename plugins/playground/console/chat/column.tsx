/** One model's side of the playground: which one, what was said, how long it took. */
import { ActionIcon, Badge, Box, Group, Paper, Select, Stack, Text, Tooltip } from '@mantine/core';
import { StopIcon } from '@radix-ui/react-icons';
import { Failed, useTexts } from 'plugboard/console';
import { useEffect, useRef, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import classes from './column.module.css';
import type { Conversation, Turn } from './use-conversation.js';

interface ColumnProps {
  readonly models: readonly string[];
  readonly model: string;
  readonly conversation: Conversation;
  onModel(model: string): void;
}

export function Column({ models, model, conversation, onModel }: ColumnProps): ReactNode {
  const t = useTexts(texts);
  const end = useRef<HTMLDivElement>(null);
  const { turns, busy } = conversation;
  const length = turns.at(-1)?.answer.text.length;
  useEffect(() => {
    const box = end.current;
    if (box !== null) box.scrollTop = box.scrollHeight;
  }, [turns.length, length]);
  return (
    <Paper withBorder className={classes['column']!}>
      <Group p="sm" gap="xs" wrap="nowrap" className={classes['head']!}>
        <Select
          aria-label={t.model}
          placeholder={t.chooseModel}
          data={[...models]}
          value={model === '' ? null : model}
          onChange={(next) => onModel(next ?? '')}
          searchable
          allowDeselect={false}
          flex={1}
        />
        {busy && (
          <Tooltip label={t.stop}>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t.stopColumn(model)}
              onClick={conversation.stop}
            >
              <StopIcon />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      <Box
        ref={end}
        className={classes['turns']!}
        tabIndex={0}
        role="log"
        aria-label={t.answerOf(model)}
        aria-busy={busy}
      >
        {turns.length === 0 ? (
          <Text c="dimmed" size="sm" ta="center" py="xl">
            {t.emptyColumn}
          </Text>
        ) : (
          <Stack gap="lg" p="md">
            {turns.map((turn, at) => (
              <TurnShown key={at} turn={turn} />
            ))}
          </Stack>
        )}
      </Box>
    </Paper>
  );
}

function TurnShown({ turn: { question, answer, state, error } }: { turn: Turn }): ReactNode {
  const t = useTexts(texts);
  return (
    <Stack gap="xs">
      <Box className={classes['question']!}>{question}</Box>
      {answer.text !== '' && <Box className={classes['answer']!}>{answer.text}</Box>}
      {state === 'streaming' && answer.text === '' && (
        <Text size="sm" c="dimmed" role="status">
          {t.waiting} …
        </Text>
      )}
      {state === 'failed' && <Failed error={error} />}
      <Group gap="xs">
        {state === 'stopped' && <Badge color="gray">{t.stopped}</Badge>}
        {answer.firstToken !== undefined && (
          <Measure name={t.firstToken} value={secondsOf(answer.firstToken)} />
        )}
        {answer.total !== undefined && <Measure name={t.total} value={secondsOf(answer.total)} />}
        {answer.tokens !== undefined && <Measure name={t.tokensOut} value={String(answer.tokens)} />}
      </Group>
    </Stack>
  );
}

function Measure({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <Text size="xs" c="dimmed">
      {name}{' '}
      <Text span inherit c="var(--mantine-color-text)" fw={500} className={classes['figure']!}>
        {value}
      </Text>
    </Text>
  );
}

function secondsOf(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}
