/** Recordings to texts, at the paths of OpenAI's API and of Azure's deployments: forms with a file. */
import { limited, type Reply, type Request, type Routes } from 'plugboard/sdk';
import { readForm, type Form } from './audio/form.js';
import { fieldOf, streamTranscript, transcribe, type Recording } from './audio/transcriptions.js';
import { DeploymentRecordingForm, RecordingForm } from './bodies.js';
import { adoptKey } from './credentials.js';
import { errors } from './errors.js';
import { callOf, sendEvents, type RouteParts } from './route-parts.js';

const PATHS = {
  '/audio/transcriptions': { summary: 'Write down what a recording says', purpose: 'audio.transcriptions' },
  '/audio/translations': {
    summary: 'Write down in English what a recording says',
    purpose: 'audio.translations',
  },
} as const;

/** Azure's clients name the deployment in the path; a model's name has slashes of its own. */
const DEPLOYMENTS = [':upstream', ':upstream/:model', ':upstream/:vendor/:model'];

/** `prefixes`: the bases of OpenAI's API. */
export function transcriptionRoutes(app: Routes, prefixes: readonly string[], parts: RouteParts): void {
  const { auth, limit, maxUploadBytes } = parts;
  const { onRequest } = limited(auth.guard('bearer', { scope: 'transcriptions' }), limit);
  // No other routes take forms.
  void app.register((forms: Routes, _options, done) => {
    forms.addContentTypeParser(
      'multipart/form-data',
      { parseAs: 'buffer' },
      (request, body: Buffer, parsed) => {
        void readForm(request.headers, body).then((form) => parsed(null, form), parsed);
      },
    );
    for (const path of Object.keys(PATHS) as (keyof typeof PATHS)[]) {
      const { summary } = PATHS[path];
      const answer = (request: Request, reply: Reply) => answerRecording(request, reply, path, parts);
      const options = { bodyLimit: maxUploadBytes };
      for (const prefix of prefixes)
        forms.post(
          prefix + path,
          { ...options, onRequest, schema: { summary, form: RecordingForm } },
          answer,
        );
      for (const deployment of DEPLOYMENTS)
        forms.post(
          `/openai/deployments/${deployment}${path}`,
          {
            ...options,
            onRequest: [adoptKey, ...onRequest],
            schema: {
              summary: `${summary}, with the deployment that the path names`,
              form: DeploymentRecordingForm,
            },
          },
          answer,
        );
    }
    done();
  });
}

async function answerRecording(
  request: Request,
  reply: Reply,
  path: keyof typeof PATHS,
  { auth, router, renderError }: RouteParts,
): Promise<Reply> {
  const recording = recordingOf(path, request);
  const call = callOf(auth, request, reply, PATHS[path].purpose);
  if (fieldOf(recording.form, 'stream') === 'true')
    return sendEvents(
      reply,
      await streamTranscript(router.parts, recording, call, (error) => renderError(error, request)),
    );
  const { body, type, upstream, cost } = await transcribe(router.parts, recording, call);
  reply.header('x-plugboard-upstream', upstream).type(type);
  if (cost !== null) reply.header('x-plugboard-cost', cost.toFixed(9));
  return reply.send(body);
}

function recordingOf(path: keyof typeof PATHS, { body, params }: Request): Recording {
  const form = body as Form | undefined;
  if (form?.fields === undefined) throw missing('a form (multipart/form-data)', null);
  const model = Object.values(params as Record<string, string>).join('/') || fieldOf(form, 'model');
  if (model === undefined || model === '') throw missing('model', 'model');
  if (form.file?.field !== 'file') throw missing('file', 'file');
  return { path, model, form };
}

function missing(what: string, param: string | null): Error {
  return errors.invalid_request({ values: { message: `${what} must be given` }, param });
}
