/** Notices: successes disappear by themselves, failures wait to be read. */
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Language, Notice } from 'plugboard/console';
import { texts } from '../texts/index.js';

/** Milliseconds. It stays while hovered or focused. */
const SHOWN = 5000;
/** Longer for a notice with a button. */
const OFFERED = 30_000;

export function notify({ message, title, kind = 'done', undo }: Notice, language: Language): void {
  const failed = kind === 'failed';
  const t = texts[language];
  const id = notifications.show({
    message:
      undo === undefined ? (
        message
      ) : (
        <Group justify="space-between" wrap="nowrap">
          {message}
          <Button
            variant="default"
            size="compact-sm"
            flex="none"
            onClick={() => {
              notifications.hide(id);
              undo();
            }}
          >
            {t.undo}
          </Button>
        </Group>
      ),
    ...((title ?? failed) && { title: title ?? t.failed }),
    color: failed ? 'red' : 'indigo',
    autoClose: failed ? false : undo === undefined ? SHOWN : OFFERED,
    role: failed ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': t.close },
  });
}
