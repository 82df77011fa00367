// @ts-check
/** HTTP to the guestbook and back. */
import { Type } from 'plugboard/sdk';

const closed = { additionalProperties: false };
const Entry = Type.Object(
  { id: Type.String(), author: Type.String(), text: Type.String(), writtenAt: Type.String() },
  closed,
);
const NewEntry = Type.Object(
  { author: Type.String({ minLength: 1 }), text: Type.String({ minLength: 1 }) },
  closed,
);
const Page = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }) }, closed);

/**
 * @param {import('plugboard/sdk').Routes} app
 * @param {import('./guestbook.js').Guestbook} book
 * @param {import('plugboard/sdk').Auth} auth
 */
export function routes(app, book, auth) {
  app.get(
    '/guestbook',
    { schema: { querystring: Page, response: { 200: Type.Array(Entry) } } },
    async (request) => (await book.newest(request.query.limit)).map(present),
  );

  app.post(
    '/guestbook',
    {
      schema: { body: NewEntry, response: { 201: Entry } },
      onRequest: auth.guard('bearer', { scope: 'guestbook' }),
    },
    async (request, reply) =>
      reply.code(201).send(present(await book.write(request.body.author, request.body.text))),
  );

  app.delete(
    '/guestbook/:id',
    { schema: { params: Type.Object({ id: Type.String() }) }, onRequest: auth.guard('management') },
    async (request, reply) => {
      await book.remove(request.params.id);
      return reply.code(204).send();
    },
  );
}

/** @param {import('./guestbook.js').Entry} entry */
function present({ _id, author, text, writtenAt }) {
  return { id: _id, author, text, writtenAt: writtenAt.toISOString() };
}
