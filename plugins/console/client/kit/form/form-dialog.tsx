/** A dialog with a form that writes one object; the fields are those of the route's body in the OpenAPI document. */
import { lazy, Suspense, type ReactNode } from 'react';
import type { FormDialogProps } from './form-dialog-body.js';

/** Not needed for the first view. */
const Body = lazy(() => import('./form-dialog-body.js'));

export function FormDialog<T>(props: FormDialogProps<T>): ReactNode {
  return (
    <Suspense fallback={null}>
      <Body {...(props as unknown as FormDialogProps<unknown>)} />
    </Suspense>
  );
}
