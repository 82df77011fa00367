/** Batch operations and feedback. */
import type { Routes } from 'plugboard/sdk';
import type { Mem0Place } from './place.js';
import * as schema from './schema.js';

export function mem0BatchRoutes(app: Routes, { at, hooks, config, mem0, reachOf }: Mem0Place): void {
  app.put(
    at('/v1/batch'),
    {
      ...hooks,
      config,
      schema: {
        summary: 'Change memories',
        tags: ['mem0'],
        body: schema.BatchChange,
        response: { 200: schema.Done },
      },
    },
    async (request) => {
      const { memories } = request.body;
      await mem0.changeAll(reachOf(request), memories);
      return { message: `Successfully updated ${memories.length} memories` };
    },
  );

  app.delete(
    at('/v1/batch'),
    {
      ...hooks,
      config,
      schema: {
        summary: 'Delete memories',
        tags: ['mem0'],
        body: schema.BatchDelete,
        response: { 200: schema.Done },
      },
    },
    async (request) => {
      const ids = new Set(request.body.memories.map(({ memory_id }) => memory_id));
      await mem0.removeEach(reachOf(request), ids);
      return { message: `Successfully deleted ${ids.size} memories` };
    },
  );

  app.post(
    at('/v1/feedback'),
    {
      ...hooks,
      config,
      schema: {
        summary: 'Say what a memory was worth; it is kept in its metadata',
        tags: ['mem0'],
        body: schema.FeedbackBody,
        response: { 200: schema.FeedbackTaken },
      },
    },
    async (request) => {
      const { memory_id, feedback = null, feedback_reason = null } = request.body;
      await mem0.judge(reachOf(request), memory_id, { feedback, feedback_reason });
      return { id: memory_id, feedback, feedback_reason };
    },
  );
}
