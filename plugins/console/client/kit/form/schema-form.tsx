/** A form made of a JSON Schema, such as that of a route's body in the OpenAPI document. */
import { lazy, Suspense, type ReactNode } from 'react';
import { Loading } from '../states.js';
import type { ObjectSchema } from './schema.js';

export interface SchemaFormProps {
  readonly schema: ObjectSchema;
  readonly initial?: Readonly<Record<string, unknown>>;
  /** The members that are shown, in this order. Default: all. */
  readonly members?: readonly string[];
  /** Titles of members, where their names do not do: the texts of a page will do. */
  readonly labels?: Readonly<Record<string, unknown>>;
  /** The verb on the button: `Create`. */
  readonly action: string;
  readonly busy?: boolean;
  /** What the server said to the last try: it is shown at its member, if it names one. The input is kept. */
  readonly error?: Error | null;
  /** Gets the members that were filled in. */
  onSubmit(value: Record<string, unknown>): void;
  onCancel?(): void;
}

/** Its inputs are a fifth of the first view, which shows none of them. */
const Body = lazy(() => import('./schema-form-body.js'));

export function SchemaForm(props: SchemaFormProps): ReactNode {
  return (
    <Suspense fallback={<Loading />}>
      <Body {...props} />
    </Suspense>
  );
}
