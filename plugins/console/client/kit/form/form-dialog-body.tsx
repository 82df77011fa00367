/** The dialog of a form, and the write. */
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/index.js';
import type { ApiRequest } from '../call.js';
import { bodySchema, useOpenApi } from '../openapi.js';
import { useWrite, type WriteOptions } from '../queries.js';
import { Loading } from '../states.js';
import { useTexts } from '../texts.js';
import type { SchemaFormProps } from './schema-form-body.js';
import { SchemaForm } from './schema-form.js';

export interface FormDialogProps<T>
  extends Pick<SchemaFormProps, 'members' | 'labels' | 'initial'>, Omit<WriteOptions<T>, 'quiet'> {
  readonly opened: boolean;
  /** The title of the dialog, and the verb on its button: `Add person`. */
  readonly title: string;
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  /** The body, if the form is not all of it. */
  body?(value: Record<string, unknown>): unknown;
  onClose(): void;
  /** Called with the answer. */
  onWritten(answer: T): void;
}

export default function FormDialogBody<T>({
  opened,
  title,
  method = 'POST',
  path,
  body = (value) => value,
  changes,
  done,
  onClose,
  onWritten,
  ...form
}: FormDialogProps<T>): ReactNode {
  const t = useTexts(texts);
  const openApi = useOpenApi();
  const schema = openApi && bodySchema(openApi, method, path);
  const write = useWrite<T>({ ...(changes && { changes }), ...(done && { done }), quiet: true });
  const request = (value: Record<string, unknown>): ApiRequest => ({ method, path, body: body(value) });
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t.close }}>
      {schema === undefined ? (
        <Loading />
      ) : (
        <SchemaForm
          {...form}
          schema={schema}
          action={title}
          busy={write.isPending}
          error={write.error}
          onCancel={onClose}
          onSubmit={(value) => write.mutate(request(value), { onSuccess: onWritten })}
        />
      )}
    </Modal>
  );
}
