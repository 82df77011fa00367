/** The standard errors provider: renders ServiceErrors in the four built-in dialects. */
import {
  definePlugin,
  type Dialect,
  type DialectName,
  type ErrorRenderer,
  ERRORS,
  Type,
} from 'plugboard/sdk';
import { dialects } from './dialects.js';

const dialectOf = (dialect: DialectName | Dialect): Dialect =>
  typeof dialect === 'string' ? dialects[dialect] : dialect;

const renderer: ErrorRenderer = {
  render: (error, dialect, request) => dialectOf(dialect).render(error, request),
  schema: (dialect) => dialectOf(dialect).schema,
};

export default definePlugin({
  name: 'standard',
  api: 1,
  summary: 'renders errors in the openai, v2, github and svc dialects',
  config: Type.Object({}, { additionalProperties: false }),
  provides: { errors: ERRORS },
  setup: () => ({ provides: { errors: renderer } }),
});
