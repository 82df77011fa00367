/** HTTP to the guestbook and back. */
import { Type, type Auth, type Routes } from 'plugboard/sdk';
import type { Entry, Guestbook } from './guestbook.js';

const closed = { additionalProperties: false } as const;
const EntryBody = Type.Object(
  { id: Type.String(), author: Type.String(), text: Type.String(), writtenAt: Type.String() },
  closed,
);
const NewEntry = Type.Object(
  { author: Type.String({ minLength: 1 }), text: Type.String({ minLength: 1 }) },
  closed,
);
const Page = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }) }, closed);
const ById = Type.Object({ id: Type.String() }, closed);

/** Paths are relative to the plugin's prefix. */
export function routes(app: Routes, book: Guestbook, auth: Auth): void {
  const guard = auth.guard('bearer', { scope: 'guestbook:write' });

  app.get('/', { schema: { querystring: Page, response: { 200: Type.Array(EntryBody) } } }, async (request) =>
    (await book.newest(request.query.limit)).map(present),
  );

  app.post(
    '/',
    { schema: { body: NewEntry, response: { 201: EntryBody } }, onRequest: guard },
    async (request, reply) =>
      reply.code(201).send(present(await book.write(request.body.author, request.body.text))),
  );

  app.delete(
    '/:id',
    { schema: { params: ById, response: { 204: Type.Null() } }, onRequest: guard },
    async (request, reply) => {
      await book.remove(request.params.id);
      return reply.code(204).send(null);
    },
  );
}

function present({ _id, author, text, writtenAt }: Entry) {
  return { id: _id, author, text, writtenAt: writtenAt.toISOString() };
}
