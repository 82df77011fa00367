/** The AI SDK with the providers of three vendors; of OpenAI's the default, Responses, and chat completions. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import {
  APICallError,
  generateText,
  jsonSchema,
  Output,
  stepCountIs,
  streamText,
  tool,
  type LanguageModel,
} from 'ai';
import { ASK, PICTURE, SCHEMA, testEachUpstream, type Client, type MakeClient, type Task } from './built.js';

/** Otherwise the SDK names what it got before by ids, as if the server had kept it. */
const STATELESS = { store: false };

/** How a provider is told to think. */
const THINKING = {
  openai: { ...STATELESS, forceReasoning: true, reasoningEffort: 'medium', reasoningSummary: 'auto' },
  anthropic: { thinking: { type: 'enabled', budgetTokens: 2_048 } },
  google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2_048 } },
} as const;

const aiSdk =
  (
    name: string,
    provider: (url: string, apiKey: string) => (model: string) => LanguageModel,
    more: Partial<Client> = {},
  ): MakeClient =>
  (url, apiKey): Client => ({
    name,
    ...more,
    statusOf: (error) => (APICallError.isInstance(error) ? error.statusCode : undefined),
    async run(model, task) {
      const request = requestOf(provider(url, apiKey)(model), task);
      const done = task.stream ? await streamed(request) : await generateText(request);
      const { text, usage, toolCalls, reasoningText } = done;
      return {
        text,
        thinking: reasoningText ?? '',
        calls: toolCalls.map(({ toolName, input }) => ({ name: toolName, arguments: input as unknown })),
        input: usage.inputTokens ?? 0,
        output: usage.outputTokens ?? 0,
      };
    },
  });

function requestOf(model: LanguageModel, task: Task): Parameters<typeof generateText>[0] {
  const picture = { type: 'image' as const, image: PICTURE, mediaType: 'image/png' };
  const declared = {
    description: 'the weather of a city',
    inputSchema: jsonSchema<{ city: string }>(SCHEMA),
  };
  const weather = task.roundTrip ? tool({ ...declared, execute: () => 'sunny' }) : tool(declared);
  return {
    model,
    maxRetries: 0,
    system: 'be kind',
    messages: [{ role: 'user', content: [{ type: 'text', text: ASK }, ...(task.image ? [picture] : [])] }],
    ...(task.tools && { tools: { weather }, stopWhen: stepCountIs(3) }),
    ...(task.schema && { output: Output.object({ schema: jsonSchema(SCHEMA) }) }),
    providerOptions: task.thinking ? THINKING : { openai: STATELESS },
  } as Parameters<typeof generateText>[0];
}

async function streamed(request: Parameters<typeof generateText>[0]) {
  let failure: Error | undefined;
  const stream = streamText({ ...request, onError: ({ error }) => void (failure = error as Error) });
  await stream.consumeStream({ onError: (error) => void (failure = error as Error) });
  if (failure !== undefined) throw failure;
  return {
    text: await stream.text,
    usage: await stream.usage,
    toolCalls: await stream.toolCalls,
    reasoningText: await stream.reasoningText,
  };
}

testEachUpstream([
  aiSdk('AI SDK openai', (url, apiKey) => createOpenAI({ apiKey, baseURL: `${url}/v1` })),
  aiSdk('AI SDK openai chat', (url, apiKey) => createOpenAI({ apiKey, baseURL: `${url}/v1` }).chat, {
    hidesThinking: true,
  }),
  aiSdk('AI SDK anthropic', (url, apiKey) => createAnthropic({ apiKey, baseURL: `${url}/v1` })),
  aiSdk('AI SDK google', (url, apiKey) => createGoogleGenerativeAI({ apiKey, baseURL: `${url}/v1beta` })),
]);
