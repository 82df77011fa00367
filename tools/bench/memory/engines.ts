/** The engines of the memory plugin as the build made them: `npm run build` in the root comes first. */
import type * as Analyzer from '../../../dist/plugins/memory/analyzer/analyze.js';
import type * as Attributes from '../../../dist/plugins/memory/attributes.js';
import type * as Fusion from '../../../dist/plugins/memory/ranking/fusion.js';
import type * as Hashing from '../../../dist/plugins/memory/embedding/hashing.js';
import type * as Keyword from '../../../dist/plugins/memory/keyword/index.js';
import type * as Neighbours from '../../../dist/plugins/memory/ranking/neighbours.js';
import type * as Sessions from '../../../dist/plugins/memory/ranking/sessions.js';
import type * as Vector from '../../../dist/plugins/memory/vector/index.js';

const plugin = new URL('../../../../dist/plugins/memory/', import.meta.url);
const load = async <T>(module: string): Promise<T> => (await import(new URL(module, plugin).href)) as T;

export const { analyze } = await load<typeof Analyzer>('analyzer/analyze.js');
export const { KeywordIndex } = await load<typeof Keyword>('keyword/index.js');
export const { VectorIndex } = await load<typeof Vector>('vector/index.js');
export const { HashingEmbedder } = await load<typeof Hashing>('embedding/hashing.js');
export const { fuse } = await load<typeof Fusion>('ranking/fusion.js');
export const { smooth } = await load<typeof Neighbours>('ranking/neighbours.js');
export const { Sessions: SessionOrder } = await load<typeof Sessions>('ranking/sessions.js');

export const clock = { now: (): number => 0 };

export type Hit = Attributes.Hit;

export function attributes(given: Partial<Attributes.EntryAttributes> = {}): Attributes.EntryAttributes {
  return {
    owner: 'bench',
    type: 'episodic',
    session: null,
    createdAt: 0,
    expiresAt: null,
    archived: false,
    ...given,
  };
}
