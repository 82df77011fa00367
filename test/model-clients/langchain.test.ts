/** LangChain's model of OpenAI, with chat completions and with Responses. */
import {
  type AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { ASK, PICTURE, SCHEMA, testEachUpstream, type MakeClient } from './built.js';

const WEATHER = {
  type: 'function' as const,
  function: { name: 'weather', description: 'the weather of a city', parameters: SCHEMA },
};

const langChain =
  (name: string, useResponsesApi: boolean): MakeClient =>
  (url, apiKey) => ({
    name,
    statusOf: (error) => (error as { status?: unknown }).status,
    async run(model, task) {
      const format = { type: 'json_schema', name: 'answer', schema: SCHEMA, strict: true } as const;
      const thinking = useResponsesApi
        ? { reasoning: { effort: 'medium', summary: 'auto' } }
        : { reasoning_effort: 'medium' };
      const plain = new ChatOpenAI({
        model,
        apiKey,
        useResponsesApi,
        maxRetries: 0,
        streamUsage: true,
        configuration: { baseURL: `${url}/v1`, maxRetries: 0 },
        modelKwargs: {
          ...(task.thinking && thinking),
          ...(task.schema &&
            (useResponsesApi
              ? { text: { format } }
              : { response_format: { type: 'json_schema', json_schema: format } })),
        },
      });
      const chat = task.tools ? plain.bindTools([WEATHER]) : plain;
      const messages: BaseMessage[] = [
        new SystemMessage('be kind'),
        new HumanMessage({
          content: [
            { type: 'text', text: ASK },
            ...(task.image
              ? [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } }]
              : []),
          ],
        }),
      ];
      const ask = async (): Promise<AIMessage> => {
        if (!task.stream) return chat.invoke(messages);
        let whole;
        for await (const chunk of await chat.stream(messages))
          whole = whole === undefined ? chunk : whole.concat(chunk);
        return whole!;
      };
      let answer = await ask();
      if (task.roundTrip) {
        messages.push(answer);
        for (const { id, name: called } of answer.tool_calls ?? [])
          messages.push(new ToolMessage({ tool_call_id: id!, name: called, content: 'sunny' }));
        answer = await ask();
      }
      const { text, tool_calls: calls = [] } = answer;
      const usage = answer.usage_metadata as unknown as { input_tokens: number; output_tokens: number };
      return {
        text,
        thinking: thoughtOf(answer),
        calls: calls.map(({ name: called, args }) => ({ name: called, arguments: args })),
        input: usage.input_tokens,
        output: usage.output_tokens,
      };
    },
  });

/** It keeps what Responses say of the thinking, and of chat completions what has the name `reasoning_content`. */
function thoughtOf({ additional_kwargs: more }: AIMessage): string {
  const { reasoning, reasoning_content: thought } = more as {
    reasoning?: { summary?: { text: string }[] };
    reasoning_content?: string;
  };
  return thought ?? (reasoning?.summary ?? []).map(({ text }) => text).join('');
}

testEachUpstream([langChain('LangChain', false), langChain('LangChain responses', true)]);
