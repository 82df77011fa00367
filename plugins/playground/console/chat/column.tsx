/** One model's column of the playground: its choice, its conversation, its timing. */
import { ActionIcon, Badge, Box, Group, Paper, Select, Stack, Text, Tooltip } from '@mantine/core';
import { CodeIcon, StopIcon } from '@radix-ui/react-icons';
import { Failed, useTexts } from 'plugboard/console';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { texts } from '../texts/index.js';
import classes from './column.module.css';
import type { Conversation, Turn } from './use-conversation.js';

/** Not needed before the first answer. */
const Markdown = lazy(() => import('./markdown/markdown.js'));

/** Pixels. */
const NEAR = 40;

interface ColumnProps {
  readonly models: readonly string[];
  readonly model: string;
  readonly conversation: Conversation;
  onModel(model: string): void;
}

export function Column({ models, model, conversation, onModel }: ColumnProps): ReactNode {
  const t = useTexts(texts);
  const { turns, busy } = conversation;
  const [raw, setRaw] = useState(false);
  const { box, content } = useFollowed();
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
        <Tooltip label={t.rawText}>
          <ActionIcon
            variant={raw ? 'filled' : 'default'}
            size="lg"
            aria-label={t.rawTextOf(model)}
            aria-pressed={raw}
            onClick={() => setRaw(!raw)}
          >
            <CodeIcon />
          </ActionIcon>
        </Tooltip>
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
        ref={box}
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
          <Stack gap="lg" p="md" ref={content}>
            {turns.map((turn, at) => (
              <TurnShown key={at} turn={turn} raw={raw} />
            ))}
          </Stack>
        )}
      </Box>
    </Paper>
  );
}

/** Keeps the end of growing content in view, if it was in view before. */
function useFollowed(): Record<'box' | 'content', RefObject<HTMLDivElement | null>> {
  const [box, content] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const isAtEnd = useRef(true);
  useEffect(() => {
    const [outer, inner] = [box.current, content.current];
    if (outer === null || inner === null) return undefined;
    const note = (): void => {
      isAtEnd.current = outer.scrollHeight - outer.scrollTop - outer.clientHeight < NEAR;
    };
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) outer.scrollTop = outer.scrollHeight;
    });
    observer.observe(inner);
    outer.addEventListener('scroll', note);
    return () => {
      observer.disconnect();
      outer.removeEventListener('scroll', note);
    };
  });
  return { box, content };
}

interface TurnShownProps {
  readonly turn: Turn;
  readonly raw: boolean;
}

function TurnShown({ turn: { question, answer, state, error }, raw }: TurnShownProps): ReactNode {
  const t = useTexts(texts);
  const text = <Box className={classes['answer']!}>{answer.text}</Box>;
  return (
    <Stack gap="xs">
      <Box className={classes['question']!}>{question}</Box>
      {answer.text !== '' &&
        (raw ? (
          text
        ) : (
          <Suspense fallback={text}>
            <Markdown text={answer.text} streaming={state === 'streaming'} />
          </Suspense>
        ))}
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
