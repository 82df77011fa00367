/** Ollama's client of npm. */
import { Ollama, type ChatResponse, type Message } from 'ollama';
import { ASK, PICTURE, SCHEMA, testEachUpstream, type MakeClient } from './built.js';

const WEATHER = {
  type: 'function',
  function: { name: 'weather', description: 'the weather of a city', parameters: SCHEMA },
};

const ollama: MakeClient = (url, apiKey) => {
  const client = new Ollama({ host: url, headers: { authorization: `Bearer ${apiKey}` } });
  return {
    name: 'ollama',
    statusOf: (error) => (error as { status_code?: unknown }).status_code,
    async run(model, task) {
      const messages: Message[] = [
        { role: 'system', content: 'be kind' },
        { role: 'user', content: ASK, ...(task.image && { images: [PICTURE] }) },
      ];
      const request = {
        model,
        messages,
        ...(task.tools && { tools: [WEATHER] }),
        ...(task.schema && { format: SCHEMA }),
        ...(task.thinking && { think: true }),
      };
      const ask = async (): Promise<ChatResponse> =>
        task.stream ? whole(await client.chat({ ...request, stream: true })) : client.chat(request);
      let answer = await ask();
      if (task.roundTrip) {
        messages.push(answer.message);
        for (const { function: called } of answer.message.tool_calls ?? [])
          messages.push({ role: 'tool', tool_name: called.name, content: 'sunny' });
        answer = await ask();
      }
      const { message, prompt_eval_count: input, eval_count: output } = answer;
      return {
        text: message.content,
        thinking: message.thinking ?? '',
        calls: (message.tool_calls ?? []).map(({ function: { name, arguments: made } }) => ({
          name,
          arguments: made,
        })),
        input,
        output,
      };
    },
  };
};

async function whole(chunks: AsyncIterable<ChatResponse>): Promise<ChatResponse> {
  const message: Required<Pick<Message, 'role' | 'content' | 'thinking' | 'tool_calls'>> = {
    role: 'assistant',
    content: '',
    thinking: '',
    tool_calls: [],
  };
  const all: ChatResponse[] = [];
  for await (const chunk of chunks) {
    all.push(chunk);
    message.content += chunk.message.content;
    message.thinking += chunk.message.thinking ?? '';
    message.tool_calls.push(...(chunk.message.tool_calls ?? []));
  }
  const last = all.at(-1);
  if (last?.done !== true) throw new Error('the stream has no end');
  return { ...last, message };
}

testEachUpstream([ollama]);
