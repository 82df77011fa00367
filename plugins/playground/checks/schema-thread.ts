/** The thread that checks answers by users' JSON Schemas; it is terminated if one never ends. */
import { parentPort } from 'node:worker_threads';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export interface SchemaJob {
  /** As JSON. */
  readonly schemas: readonly string[];
  /** Checked by the first schema; null: only the schemas are checked. */
  readonly text: string | null;
}

/** Null: no fault. */
export interface SchemaFault {
  /** The unusable schema; null if the text is at fault. */
  readonly schema: number | null;
  readonly reason: string;
}

parentPort!.on('message', ({ schemas, text }: SchemaJob) => {
  parentPort!.postMessage(faultOf(schemas, text));
});
// The first schema takes far longer, as it loads the meta-schema: no user's check pays for that.
compile('{}');
parentPort!.postMessage('ready');

function faultOf(schemas: readonly string[], text: string | null): SchemaFault | null {
  let check: ValidateFunction | undefined;
  for (const [at, schema] of schemas.entries()) {
    try {
      const compiled = compile(schema);
      check ??= compiled;
    } catch (error) {
      return { schema: at, reason: messageOf(error) };
    }
  }
  if (text === null || check === undefined) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { schema: null, reason: 'the answer is not JSON' };
  }
  if (check(value)) return null;
  const [first] = check.errors ?? [];
  return {
    schema: null,
    reason: `${first?.instancePath || 'the answer'} ${first?.message ?? 'does not fit'}`,
  };
}

/** Treated as the newest draft, whatever draft it names. */
function compile(text: string): ValidateFunction {
  const { $schema: _, $id: __, ...schema } = JSON.parse(text) as Record<string, unknown>;
  return new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(schema);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : 'it is no JSON Schema';
}
