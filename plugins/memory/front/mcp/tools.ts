/** The memory tools of a model, with mem0's names: a description for the model, and a call of the same service. */
import { Type, type Principal, type Static, type TObject } from 'plugboard/sdk';
import type { Reach } from '../api/owner.js';
import type { Mem0Memories } from '../mem0/memories.js';
import { presentHistory, presentMemory } from '../mem0/present.js';

/** The caller of a tool. */
export interface Caller {
  readonly reach: Reach;
  readonly principal: Principal;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: TObject;
  readonly readOnly: boolean;
  /** The result is shown to the model as JSON. */
  run(memories: Mem0Memories, caller: Caller, input: never): Promise<unknown>;
}

const Id = (whose: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: whose }));
const ids = {
  user_id: Id('the user whom the memory is about; leave out where there is only one'),
  agent_id: Id('the agent that the memory is for'),
  app_id: Id('the application that the memory is for'),
  run_id: Id('the conversation that the memory is of'),
};
const Text = Type.String({ minLength: 1, maxLength: 100_000 });
const memory_id = Type.String({ description: 'the id of a memory, from a search or a list' });
const filters = Type.Optional(
  Type.Unknown({
    description: 'AND, OR and NOT over user_id, agent_id, app_id, run_id, metadata, created_at',
  }),
);
const closed = { additionalProperties: false } as const;

function tool<T extends TObject>(
  about: Pick<Tool, 'name' | 'description' | 'readOnly'> & { readonly input: T },
  run: (memories: Mem0Memories, caller: Caller, input: Static<T>) => Promise<unknown>,
): Tool {
  return { ...about, run };
}

export const TOOLS: readonly Tool[] = [
  tool(
    {
      name: 'add_memory',
      description: 'Keep a fact, a preference or a decision that later conversations should know of.',
      readOnly: false,
      input: Type.Object(
        { text: Text, ...ids, metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())) },
        closed,
      ),
    },
    async (memories, { reach }, { text, ...fields }) => {
      const added = await memories.add(reach, { ...fields, messages: text, infer: false });
      return { results: added.map(presentMemory) };
    },
  ),
  tool(
    {
      name: 'search_memories',
      description: 'Find memories that answer a question, the best first.',
      readOnly: true,
      input: Type.Object(
        {
          query: Type.String({ minLength: 1, maxLength: 10_000 }),
          user_id: ids.user_id,
          filters,
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
          as_of: Type.Optional(
            Type.String({
              maxLength: 40,
              description: 'memories valid at this date, ISO 8601; default: now',
            }),
          ),
        },
        closed,
      ),
    },
    async (memories, { reach, principal }, { query, user_id, filters: asked, limit, as_of }) => {
      const search = {
        query,
        filters: both(asked, user_id),
        top_k: limit ?? 10,
        ...(as_of !== undefined && { reference_date: as_of }),
      };
      const found = await memories.search(reach, search, principal);
      return {
        results: found.map(({ entry, score }) => ({ ...presentMemory(entry), score })),
      };
    },
  ),
  tool(
    {
      name: 'get_memories',
      description: 'List memories, the newest first.',
      readOnly: true,
      input: Type.Object(
        {
          user_id: ids.user_id,
          filters,
          page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
          page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
        },
        closed,
      ),
    },
    async (memories, { reach }, { user_id, filters: asked, page = 1, page_size: limit = 20 }) => {
      const bounds = { skip: (page - 1) * limit, limit };
      const { entries, count } = await memories.list(reach, [both(asked, user_id)], bounds);
      return { count, results: entries.map(presentMemory) };
    },
  ),
  tool(
    {
      name: 'get_memory',
      description: 'Read one memory.',
      readOnly: true,
      input: Type.Object({ memory_id }, closed),
    },
    async (memories, { reach }, input) => presentMemory(await memories.get(reach, input.memory_id)),
  ),
  tool(
    {
      name: 'update_memory',
      description: 'Correct the text of a memory; what it said before stays in its history.',
      readOnly: false,
      input: Type.Object({ memory_id, text: Text }, closed),
    },
    async (memories, { reach }, { memory_id: id, text }) =>
      presentMemory(await memories.change(reach, id, { text })),
  ),
  tool(
    {
      name: 'delete_memory',
      description: 'Forget a memory for good.',
      readOnly: false,
      input: Type.Object({ memory_id }, closed),
    },
    async (memories, { reach }, { memory_id: id }) => {
      await memories.remove(reach, id, { linked: false });
      return { deleted: id };
    },
  ),
  tool(
    {
      name: 'memory_history',
      description: 'List the texts of a memory over time, oldest first.',
      readOnly: true,
      input: Type.Object({ memory_id }, closed),
    },
    async (memories, { reach }, { memory_id: id }) => ({
      events: presentHistory(id, await memories.history(reach, id)),
    }),
  ),
];

function both(filters: unknown, user_id: string | undefined): unknown {
  return { AND: [filters ?? {}, ...(user_id === undefined ? [] : [{ user_id }])] };
}
