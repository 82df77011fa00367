/** Relative times, as people say them, with the exact time on demand. */
import { Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from './context.js';

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** `3 hours ago`. `at`: ISO 8601, or a number of milliseconds. */
export function Ago({ at }: { at: string | number }): ReactNode {
  const { language } = useConsole();
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return String(at);
  const seconds = (time.getTime() - Date.now()) / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const);
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const exact = time.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' });
  return (
    <Tooltip label={exact}>
      <Text component="time" dateTime={time.toISOString()} size="sm" inherit style={{ whiteSpace: 'nowrap' }}>
        {words.format(Math.round(seconds / length), unit)}
      </Text>
    </Tooltip>
  );
}
