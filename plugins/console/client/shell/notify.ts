/** Notices: what was done goes away by itself, what failed waits to be read. */
import { notifications } from '@mantine/notifications';
import type { Language, Notice } from 'plugboard/console';
import { texts } from '../texts/index.js';

export function notify({ message, title, kind = 'done' }: Notice, language: Language): void {
  const failed = kind === 'failed';
  const t = texts[language];
  notifications.show({
    message,
    ...((title ?? failed) && { title: title ?? t.failed }),
    color: failed ? 'red' : 'indigo',
    autoClose: failed ? false : 5000,
    role: failed ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': t.close },
  });
}
