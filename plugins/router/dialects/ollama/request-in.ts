/** A request of Ollama's own API, `/api/chat` or `/api/generate`, to the neutral form. */
import { CallIds } from '../call-ids.js';
import type { Json } from '../dialect.js';
import {
  NO_PARAMETERS,
  type AnswerPart,
  type ImagePart,
  type NeutralRequest,
  type OutputFormat,
  type ResultPart,
  type TextPart,
  type Thinking,
  type Tool,
  type Turn,
} from '../neutral.js';
import {
  given,
  object,
  objects,
  optionalList,
  optionalNumbers,
  optionalObject,
  optionalObjects,
  optionalText,
  optionalTexts,
  text,
  Unreadable,
  without,
} from '../reading.js';
import { readEffort } from '../thinking.js';
import { Turns } from '../turns.js';

const READ: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'prompt',
  'system',
  'images',
  'stream',
  'tools',
  'format',
  'options',
  'think',
]);
const OPTIONS: ReadonlySet<string> = new Set([
  'num_predict',
  'temperature',
  'top_p',
  'top_k',
  'seed',
  'stop',
  'frequency_penalty',
  'presence_penalty',
]);

export function readRequest(body: Json): NeutralRequest {
  const options = optionalObject(body['options'], 'options') ?? {};
  const more = Object.entries(without(options, OPTIONS)).map(([name, value]) => [`options.${name}`, value]);
  const { maxTokens, ...numbers } = optionalNumbers(options, {
    maxTokens: 'num_predict',
    temperature: 'temperature',
    topP: 'top_p',
    topK: 'top_k',
    seed: 'seed',
    frequencyPenalty: 'frequency_penalty',
    presencePenalty: 'presence_penalty',
  });
  const stop = options['stop'];
  return {
    ...(body['messages'] === undefined ? readPrompt(body) : readMessages(body['messages'])),
    tools: optionalObjects(body['tools'], 'tools').map(readTool),
    settings: given({
      ...numbers,
      // Zero is what there is without them; below it the answer has no limit.
      frequencyPenalty: numbers.frequencyPenalty || undefined,
      presencePenalty: numbers.presencePenalty || undefined,
      maxTokens: maxTokens === undefined || maxTokens < 0 ? undefined : maxTokens,
      stop: typeof stop === 'string' ? [stop] : optionalTexts(stop, 'options.stop'),
      output: readFormat(body['format']),
      thinking: readThink(body['think']),
    }),
    own: { ...without(body, READ), ...Object.fromEntries(more) },
    omitted: [],
  };
}

type Said = Pick<NeutralRequest, 'system' | 'turns'>;

function readPrompt(body: Json): Said {
  const system = optionalText(body['system'], 'system') ?? '';
  const said: TextPart = { kind: 'text', text: text(body['prompt'], 'prompt') };
  const user: Turn = { role: 'user', parts: [said, ...readImages(body['images'], 'images')] };
  return { system: system === '' ? [] : [{ kind: 'text', text: system }], turns: [user] };
}

function readMessages(messages: unknown): Said {
  const system: TextPart[] = [];
  const turns = new Turns();
  const calls = new CallIds();
  for (const [message, at] of objects(messages, 'messages')) {
    const said: TextPart = { kind: 'text', text: optionalText(message['content'], `${at}.content`) ?? '' };
    switch (message['role']) {
      case 'system':
        system.push(said);
        break;
      case 'user':
        turns.user(said, ...readImages(message['images'], `${at}.images`));
        break;
      case 'assistant':
        turns.assistant(...readAssistant(message, at, { said, calls }));
        break;
      case 'tool':
        turns.user(readResult(message, at, { said, calls }));
        break;
      default:
        throw new Unreadable(`${at}.role`, 'one of system, user, assistant, tool');
    }
  }
  return { system, turns: turns.all };
}

interface Reading {
  readonly said: TextPart;
  readonly calls: CallIds;
}

function readAssistant(message: Json, at: string, { said, calls }: Reading): AnswerPart[] {
  const thought = optionalText(message['thinking'], `${at}.thinking`) ?? '';
  const made = optionalObjects(message['tool_calls'], `${at}.tool_calls`).map(([call, place]): AnswerPart => {
    const asked = object(call['function'], `${place}.function`);
    const name = text(asked['name'], `${place}.function.name`);
    return {
      kind: 'call',
      id: calls.call(optionalText(call['id'], `${place}.id`), name),
      name,
      arguments: JSON.stringify(asked['arguments'] ?? {}),
    };
  });
  return [
    ...(thought === '' ? [] : [{ kind: 'thinking', text: thought } as const]),
    ...(said.text === '' ? [] : [said]),
    ...made,
  ];
}

function readResult(message: Json, at: string, { said, calls }: Reading): ResultPart {
  const id = optionalText(message['tool_call_id'], `${at}.tool_call_id`);
  const name = optionalText(message['tool_name'] ?? message['name'], `${at}.tool_name`);
  return { kind: 'result', id: calls.result(id, name), content: [said], isError: false };
}

/** The first characters of the base64 of each kind. */
const PICTURES = { iVBORw0KGgo: 'png', '/9j/': 'jpeg', R0lGOD: 'gif', UklGR: 'webp' };

/** Bytes in base64, of which the kind is not said. */
function readImages(value: unknown, at: string): ImagePart[] {
  return optionalList(value, at).map((one, index) => {
    const data = text(one, `${at}[${index}]`);
    const kind = Object.entries(PICTURES).find(([start]) => data.startsWith(start))?.[1];
    if (kind === undefined) throw new Unreadable(`${at}[${index}]`, 'a PNG, JPEG, GIF or WebP in base64');
    return { kind: 'image', source: { kind: 'base64', mediaType: `image/${kind}`, data } };
  });
}

function readTool([tool, at]: readonly [Json, string]): Tool {
  const made = object(tool['function'], `${at}.function`);
  return given({
    name: text(made['name'], `${at}.function.name`),
    description: optionalText(made['description'], `${at}.function.description`),
    parameters: optionalObject(made['parameters'], `${at}.function.parameters`) ?? NO_PARAMETERS,
  });
}

function readFormat(format: unknown): OutputFormat | undefined {
  if (format === undefined || format === null || format === '') return undefined;
  if (format === 'json') return { kind: 'json' };
  return { kind: 'schema', name: 'answer', schema: object(format, 'format') };
}

function readThink(think: unknown): Thinking | undefined {
  if (think === undefined || think === null) return undefined;
  if (think === false) return { effort: 'none' };
  return { effort: think === true ? 'medium' : readEffort(text(think, 'think'), 'think'), show: true };
}
