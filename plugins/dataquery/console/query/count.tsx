/** Counts the filtered rows on a click, as counting may take longer than reading a page. */
import { Button, Text } from '@mantine/core';
import { useConsole, useTexts } from 'plugboard/console';
import { useEffect, useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';

export function Count({ path, filter }: { path: string; filter: string }): ReactNode {
  const t = useTexts(texts);
  const { fetch, notify } = useConsole();
  const [count, setCount] = useState<number>();
  useEffect(() => setCount(undefined), [path, filter]);
  const ask = async (): Promise<void> => {
    const answer = await fetch(filter === '' ? path : `${path}?${filter}`, {
      method: 'HEAD',
      headers: { prefer: 'count=exact', 'range-unit': 'items', range: '0-0' },
    });
    const total = Number(answer.headers.get('content-range')?.split('/')[1]);
    if (Number.isNaN(total)) notify({ kind: 'failed', message: `${answer.status} ${answer.statusText}` });
    else setCount(total);
  };
  if (count !== undefined)
    return (
      <Text size="sm" c="dimmed" role="status">
        {t.counted(count)}
      </Text>
    );
  return (
    <Button variant="default" size="xs" onClick={() => void ask()}>
      {t.count}
    </Button>
  );
}
