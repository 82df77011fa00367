/** A value in the grid: NULL, an empty text and an unread value look different. */
import { Text } from '@mantine/core';
import { useTexts } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { textOf } from '../values.js';
import classes from './grid.module.css';

/** Longer values are cut in the grid; the row's form shows them in full. */
const SHOWN = 200;

export function Cell({ value }: { value: unknown }): ReactNode {
  const t = useTexts(texts);
  if (value === undefined) return <Mark text={t.absent} />;
  if (value === null) return <Mark text={t.null} />;
  if (value === '') return <Mark text={t.emptyText} />;
  const text = textOf(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function Mark({ text }: { text: string }): ReactNode {
  return (
    <Text span inherit c="dimmed" className={classes['mark']!}>
      {text}
    </Text>
  );
}
