/** The engines of the memory plugin as the build made them: `npm run build` in the root comes first. */
import type * as Analyzer from '../../../dist/plugins/memory/engine/analyzer/analyze.js';
import type * as Attributes from '../../../dist/plugins/memory/engine/base/attributes.js';
import type * as BuiltIn from '../../../dist/plugins/memory/engine/embedding/built-in.js';
import type * as Keyword from '../../../dist/plugins/memory/engine/keyword/index.js';
import type * as Vector from '../../../dist/plugins/memory/engine/vector/index.js';

const plugin = new URL('../../../../dist/plugins/memory/', import.meta.url);
const load = async <T>(module: string): Promise<T> => (await import(new URL(module, plugin).href)) as T;

export const { analyze } = await load<typeof Analyzer>('engine/analyzer/analyze.js');
export const { BuiltInEmbedder } = await load<typeof BuiltIn>('engine/embedding/built-in.js');
export const { KeywordIndex } = await load<typeof Keyword>('engine/keyword/index.js');
export const { VectorIndex } = await load<typeof Vector>('engine/vector/index.js');

export const clock = { now: (): number => 0 };

export function attributes(given: Partial<Attributes.EntryAttributes> = {}): Attributes.EntryAttributes {
  return {
    owner: 'bench',
    type: 'episodic',
    session: null,
    user: null,
    createdAt: 0,
    expiresAt: null,
    validFrom: -Infinity,
    validUntil: Infinity,
    archived: false,
    ...given,
  };
}
