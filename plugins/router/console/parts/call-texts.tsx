/** The recorded request and answer of a call: on demand, and for administrators only. */
import { Button, Stack, Text } from '@mantine/core';
import { ApiError, CopyBlock, Failed, Loading, useConsole, useRead, useTexts } from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { Call } from './call.js';

interface Recorded {
  readonly model: string;
  readonly request: string;
  readonly answer: string | null;
}

export function CallTexts({ call }: { call: Call }): ReactNode {
  const t = useTexts(texts);
  const { person } = useConsole();
  const [isShown, setShown] = useState(false);
  if (person.access !== 'admin') return null;
  if (isShown) return <Shown call={call} />;
  return (
    <Button variant="default" onClick={() => setShown(true)}>
      {t.showTexts}
    </Button>
  );
}

function Shown({ call: { key, at, model } }: { call: Call }): ReactNode {
  const t = useTexts(texts);
  const { data: answer, error } = useRead<{ data: Recorded[] }>({
    path: '/api/usage/texts',
    query: { key, at },
  });
  if (error instanceof ApiError && error.status === 404) return <Text c="dimmed">{t.textsOff}</Text>;
  if (error !== null) return <Failed error={error} />;
  if (answer === undefined) return <Loading />;
  // Calls of a key that came in within one millisecond.
  const own = answer.data.filter((recorded) => recorded.model === model);
  if (own.length === 0) return <Text c="dimmed">{t.noTexts}</Text>;
  return own.map((recorded) => (
    <Stack key={`${recorded.request} ${recorded.answer}`} gap="xs">
      <Text fw={600}>{t.question}</Text>
      <CopyBlock text={readable(recorded.request)} label={t.question} />
      <Text fw={600}>{t.answer}</Text>
      {recorded.answer === null ? (
        <Text c="dimmed">{t.noAnswer}</Text>
      ) : (
        <CopyBlock text={recorded.answer} label={t.answer} />
      )}
    </Stack>
  ));
}

interface Message {
  readonly role?: unknown;
  readonly content?: unknown;
}

/** Messages of plain text one below the other; what was cut off is no JSON, and is shown as it is. */
function readable(request: string): string {
  try {
    const { messages } = JSON.parse(request) as { messages: readonly Message[] };
    return messages
      .map(({ role, content }) =>
        typeof content === 'string'
          ? `${String(role)}: ${content}`
          : `${String(role)}: ${JSON.stringify(content, null, 2)}`,
      )
      .join('\n\n');
  } catch {
    return request;
  }
}
