/** A form from a JSON Schema, such as that of a route's body in the OpenAPI document. */
import { lazy, Suspense, type ReactNode } from 'react';
import { Loading } from '../states.js';
import type { SchemaFormProps } from './schema-form-body.js';

/** The inputs are a fifth of the first view's size, and it shows none. */
const Body = lazy(() => import('./schema-form-body.js'));

export function SchemaForm(props: SchemaFormProps): ReactNode {
  return (
    <Suspense fallback={<Loading />}>
      <Body {...props} />
    </Suspense>
  );
}
