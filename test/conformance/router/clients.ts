/** The vendors' own clients, unmodified, each doing the same things. */
import Anthropic from '@anthropic-ai/sdk';
import {
  GoogleGenAI,
  type Content,
  type GenerateContentParameters,
  type GenerateContentResponse,
} from '@google/genai';
import OpenAI, { AzureOpenAI } from 'openai';

export interface Result {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly input: number;
  readonly output: number;
}

export interface Task {
  readonly stream?: boolean;
  readonly image?: boolean;
  readonly tools?: boolean;
  /** A second call, with what the tools said. */
  readonly roundTrip?: boolean;
  readonly schema?: boolean;
  readonly thinking?: boolean;
}

export interface Client {
  readonly name: string;
  /** It has no place for what a model thought. */
  readonly hidesThinking?: boolean;
  run(model: string, task: Task): Promise<Result>;
  /** The status and the words of a refusal, as the client throws them. */
  readonly statusOf: (error: unknown) => unknown;
}

/** `url` of the server, and a key of it. */
export type MakeClient = (url: string, apiKey: string) => Client;

export const PICTURE = 'iVBORw0KGgo=';
export const SCHEMA = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
export const ASK = 'how is it?';

export const chatClient =
  (name: string, make: (url: string, apiKey: string) => OpenAI): MakeClient =>
  (url, apiKey) => {
    const client = make(url, apiKey);
    return {
      name,
      statusOf,
      async run(model, task) {
        const content: OpenAI.ChatCompletionContentPart[] = [{ type: 'text', text: ASK }];
        if (task.image)
          content.push({ type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } });
        const messages: OpenAI.ChatCompletionMessageParam[] = [
          { role: 'system', content: 'be kind' },
          { role: 'user', content },
        ];
        const request = {
          model,
          messages,
          ...(task.tools && {
            tools: [{ type: 'function' as const, function: { name: 'weather', parameters: SCHEMA } }],
          }),
          ...(task.schema && {
            response_format: {
              type: 'json_schema' as const,
              json_schema: { name: 'answer', schema: SCHEMA, strict: true },
            },
          }),
          ...(task.thinking && { reasoning_effort: 'medium' as const }),
        };
        const ask = async (): Promise<OpenAI.ChatCompletion> =>
          task.stream
            ? client.chat.completions
                .stream({ ...request, stream_options: { include_usage: true } })
                .finalChatCompletion()
            : client.chat.completions.create(request);
        let completion = await ask();
        if (task.roundTrip) {
          const message = completion.choices[0]!.message;
          messages.push(message);
          for (const call of message.tool_calls ?? [])
            messages.push({ role: 'tool', tool_call_id: call.id, content: 'sunny' });
          completion = await ask();
        }
        const message = completion.choices[0]!.message as OpenAI.ChatCompletionMessage & {
          reasoning_content?: string;
        };
        return {
          text: message.content ?? '',
          thinking: message.reasoning_content ?? '',
          calls: (message.tool_calls ?? []).map((call) => {
            if (call.type !== 'function') throw new Error('not a function');
            return { name: call.function.name, arguments: JSON.parse(call.function.arguments) as unknown };
          }),
          input: completion.usage!.prompt_tokens,
          output: completion.usage!.completion_tokens,
        };
      },
    };
  };

export const responsesClient: MakeClient = (url, apiKey) => {
  const client = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });
  return {
    name: 'openai responses',
    statusOf,
    async run(model, task) {
      const input: OpenAI.Responses.ResponseInputItem[] = [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: ASK },
            ...(task.image
              ? [
                  {
                    type: 'input_image' as const,
                    detail: 'auto' as const,
                    image_url: `data:image/png;base64,${PICTURE}`,
                  },
                ]
              : []),
          ],
        },
      ];
      const request = {
        model,
        input,
        instructions: 'be kind',
        store: false,
        include: ['reasoning.encrypted_content' as const],
        ...(task.tools && {
          tools: [{ type: 'function' as const, name: 'weather', parameters: SCHEMA, strict: true }],
        }),
        ...(task.schema && {
          text: { format: { type: 'json_schema' as const, name: 'answer', schema: SCHEMA, strict: true } },
        }),
        ...(task.thinking && { reasoning: { effort: 'medium' as const, summary: 'auto' as const } }),
      };
      const ask = async (): Promise<OpenAI.Responses.Response> =>
        task.stream ? client.responses.stream(request).finalResponse() : client.responses.create(request);
      let response = await ask();
      if (task.roundTrip) {
        input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]));
        for (const item of response.output)
          if (item.type === 'function_call')
            input.push({ type: 'function_call_output', call_id: item.call_id, output: 'sunny' });
        response = await ask();
      }
      const { output } = response;
      return {
        text: output
          .flatMap((item) => (item.type === 'message' ? item.content : []))
          .map((part) => (part.type === 'output_text' ? part.text : part.refusal))
          .join(''),
        thinking: output
          .flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
          .map(({ text }) => text)
          .join(''),
        calls: output.flatMap((item) =>
          item.type === 'function_call'
            ? [{ name: item.name, arguments: JSON.parse(item.arguments) as unknown }]
            : [],
        ),
        input: response.usage!.input_tokens,
        output: response.usage!.output_tokens,
      };
    },
  };
};

export const anthropicClient: MakeClient = (url, apiKey) => {
  const client = new Anthropic({ apiKey, baseURL: url, maxRetries: 0 });
  return {
    name: '@anthropic-ai/sdk',
    statusOf,
    async run(model, task) {
      const messages: Anthropic.MessageParam[] = [
        {
          role: 'user',
          content: [
            { type: 'text', text: ASK },
            ...(task.image
              ? [
                  {
                    type: 'image' as const,
                    source: { type: 'base64' as const, media_type: 'image/png' as const, data: PICTURE },
                  },
                ]
              : []),
          ],
        },
      ];
      const request = {
        model,
        messages,
        system: 'be kind',
        max_tokens: 4_000,
        ...(task.tools && { tools: [{ name: 'weather', input_schema: SCHEMA }] }),
        ...(task.schema && {
          output_config: { format: { type: 'json_schema' as const, schema: SCHEMA } },
        }),
        ...(task.thinking && { thinking: { type: 'enabled' as const, budget_tokens: 2_048 } }),
      };
      const ask = async (): Promise<Anthropic.Message> =>
        task.stream ? client.messages.stream(request).finalMessage() : client.messages.create(request);
      let message = await ask();
      if (task.roundTrip) {
        messages.push({ role: 'assistant', content: message.content });
        messages.push({
          role: 'user',
          content: message.content.flatMap((block) =>
            block.type === 'tool_use'
              ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'sunny' }]
              : [],
          ),
        });
        message = await ask();
      }
      const { content, usage } = message;
      return {
        text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
        thinking: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
        calls: content.flatMap((block) =>
          block.type === 'tool_use' ? [{ name: block.name, arguments: block.input }] : [],
        ),
        input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0),
        output: usage.output_tokens,
      };
    },
  };
};

export const googleClient: MakeClient = (url, apiKey) => {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } });
  return {
    name: '@google/genai',
    statusOf,
    async run(model, task) {
      const contents: Content[] = [
        {
          role: 'user',
          parts: [
            { text: ASK },
            ...(task.image ? [{ inlineData: { mimeType: 'image/png', data: PICTURE } }] : []),
          ],
        },
      ];
      const request: GenerateContentParameters = {
        model,
        contents,
        config: {
          systemInstruction: 'be kind',
          ...(task.tools && {
            tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: SCHEMA }] }],
          }),
          ...(task.schema && { responseMimeType: 'application/json', responseJsonSchema: SCHEMA }),
          ...(task.thinking && { thinkingConfig: { includeThoughts: true, thinkingBudget: 2_048 } }),
        },
      };
      const ask = async (): Promise<GenerateContentResponse[]> => {
        if (!task.stream) return [await client.models.generateContent(request)];
        const chunks: GenerateContentResponse[] = [];
        for await (const chunk of await client.models.generateContentStream(request)) chunks.push(chunk);
        return chunks;
      };
      let chunks = await ask();
      const partsOf = (answer: typeof chunks) =>
        answer.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
      if (task.roundTrip) {
        const parts = partsOf(chunks);
        contents.push({ role: 'model', parts });
        contents.push({
          role: 'user',
          parts: parts.flatMap(({ functionCall }) =>
            functionCall === undefined
              ? []
              : [
                  {
                    functionResponse: {
                      ...(functionCall.id !== undefined && { id: functionCall.id }),
                      name: functionCall.name!,
                      response: { output: 'sunny' },
                    },
                  },
                ],
          ),
        });
        chunks = await ask();
      }
      const parts = partsOf(chunks);
      const usage = chunks.at(-1)!.usageMetadata!;
      return {
        text: parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join(''),
        thinking: parts.map(({ text, thought }) => (thought ? (text ?? '') : '')).join(''),
        calls: parts.flatMap(({ functionCall }) =>
          functionCall === undefined ? [] : [{ name: functionCall.name!, arguments: functionCall.args }],
        ),
        input: usage.promptTokenCount!,
        output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
      };
    },
  };
};

function statusOf(error: unknown): unknown {
  return (error as { status?: unknown }).status;
}

export const CLIENTS: readonly MakeClient[] = [
  chatClient('openai chat', (url, apiKey) => new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })),
  responsesClient,
  anthropicClient,
  googleClient,
  chatClient(
    'AzureOpenAI',
    (url, apiKey) => new AzureOpenAI({ apiKey, endpoint: url, apiVersion: '2024-10-21', maxRetries: 0 }),
  ),
];
