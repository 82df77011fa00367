/** Asks before a write that cannot be undone. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { ApiRequest } from './call.js';
import { useWrite, type WriteOptions } from './queries.js';
import { useTexts } from './texts.js';

export interface ConfirmProps<T> extends Pick<WriteOptions<T>, 'changes' | 'done'> {
  /** The question: `Revoke "backend"?` */
  readonly title: string;
  /** The consequences. */
  readonly children: ReactNode;
  /** The verb: `Revoke`. */
  readonly action: string;
  /** Sent on a yes. Undefined: nothing is asked. */
  readonly request: ApiRequest | undefined;
  /** After the server has done it, before `onClose`. */
  onDone?(answer: T): void;
  /** The dialog is over: after a no, and after the write, whether it failed or not. */
  onClose(): void;
}

export function Confirm<T = unknown>({
  title,
  children,
  action,
  request,
  onDone,
  onClose,
  ...options
}: ConfirmProps<T>): ReactNode {
  const t = useTexts(texts);
  const write = useWrite<T>(options);
  const confirm = (): void => {
    if (request === undefined) return;
    write.mutate(request, { onSuccess: (answer) => onDone?.(answer), onSettled: onClose });
  };
  return (
    <Modal
      opened={request !== undefined}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t.cancel}
          </Button>
          <Button color="red" loading={write.isPending} onClick={confirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
