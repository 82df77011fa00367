/** A form in a dialog that writes one thing: its fields are those of the route's body in the OpenAPI document. */
import { lazy, Suspense, type ReactNode } from 'react';
import type { WriteOptions } from '../queries.js';
import type { SchemaFormProps } from './schema-form.js';

export interface FormDialogProps<T>
  extends Pick<SchemaFormProps, 'members' | 'labels' | 'initial'>, Omit<WriteOptions<T>, 'quiet'> {
  readonly opened: boolean;
  /** What the dialog is called, and the verb on its button: `Add person`. */
  readonly title: string;
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  /** The body, where the form is not all of it. */
  body?(value: Record<string, unknown>): unknown;
  onClose(): void;
  /** Gets the answer. */
  onWritten(answer: T): void;
}

/** The first view shows none. */
const Body = lazy(() => import('./form-dialog-body.js'));

export function FormDialog<T>(props: FormDialogProps<T>): ReactNode {
  return (
    <Suspense fallback={null}>
      <Body {...(props as unknown as FormDialogProps<unknown>)} />
    </Suspense>
  );
}
