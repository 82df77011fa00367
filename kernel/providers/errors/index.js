/** The standard errors provider: renders ServiceErrors in the four built-in dialects. */
import { Type } from 'typebox';
import { definePlugin } from '../../sdk/plugin.js';
import { ERRORS } from '../../sdk/tokens.js';
import { dialects } from './dialects.js';
export const renderer = {
    render: (error, dialect, request) => (typeof dialect === 'string' ? dialects[dialect] : dialect).render(error, request),
};
export default definePlugin({
    name: 'standard',
    api: 1,
    summary: 'renders errors in the openai, v2, github and svc dialects',
    config: Type.Object({}, { additionalProperties: false }),
    provides: { errors: ERRORS },
    setup: () => ({ provides: { errors: renderer } }),
});
//# sourceMappingURL=index.js.map