/** A key's own pronunciations over HTTP. */
import type { Auth, Request, Routes } from 'plugboard/sdk';
import { ownerOf } from 'plugboard/sdk';
import { errors } from '../errors.js';
import { MOST_ENTRIES, type Pronunciations } from './pronunciations.js';
import { Pronunciation, PronunciationBody, PronunciationList, PronunciationWord } from './schema.js';

const PATH = '/api/v1/pronunciations';

export function pronunciationRoutes(
  app: Routes,
  { auth, pronunciations }: { auth: Auth; pronunciations: Pronunciations },
): void {
  const onRequest = auth.guard('bearer', { scope: 'speech' });
  const owner = (request: Request): string => ownerOf(auth.principal(request));
  const tags = ['Speech'];
  const one = `${PATH}/:written`;

  app.get(
    PATH,
    {
      onRequest,
      schema: { summary: "List the key's pronunciations", tags, response: { 200: PronunciationList } },
    },
    async (request) => ({ pronunciations: await pronunciations.list(owner(request)) }),
  );

  app.put(
    one,
    {
      onRequest,
      schema: {
        summary: 'Say how a word is read',
        tags,
        params: PronunciationWord,
        body: PronunciationBody,
        response: { 200: Pronunciation },
      },
    },
    async (request) => {
      const entry = { written: request.params.written.normalize('NFC'), spoken: request.body.spoken };
      if (!(await pronunciations.set(owner(request), entry)))
        throw errors.too_many_pronunciations({ values: { limit: MOST_ENTRIES }, param: 'written' });
      return entry;
    },
  );

  app.delete(
    one,
    {
      onRequest,
      schema: {
        summary: 'Read a word by the rules again',
        tags,
        params: PronunciationWord,
        response: { 204: { description: 'Removed' } },
      },
    },
    async (request, reply) => {
      const written = request.params.written.normalize('NFC');
      if (!(await pronunciations.remove(owner(request), written)))
        throw errors.pronunciation_not_found({ param: 'written' });
      return reply.code(204).send();
    },
  );
}
