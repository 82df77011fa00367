/** The standard errors provider: renders ServiceErrors in the four built-in dialects. */
import { Type } from '../../sdk/typebox.js';
import type { Dialect, DialectName, ErrorRenderer } from '../../sdk/errors.js';
import { definePlugin } from '../../sdk/plugin.js';
import { ERRORS } from '../../sdk/tokens.js';
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
