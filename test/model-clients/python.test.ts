/** Clients of PyPI, where a Python has them: `PLUGBOARD_TEST_PYTHON` names one. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { testEachUpstream, type MakeClient, type Result } from './built.js';

const run = promisify(execFile);
const python = process.env['PLUGBOARD_TEST_PYTHON'] ?? 'python3';

/** By the package that each needs, as it is imported. */
const CLIENTS: Readonly<Record<string, readonly string[]>> = {
  openai: ['Python openai', 'Python openai responses'],
  anthropic: ['Python anthropic'],
  'google.genai': ['Python google-genai'],
  litellm: ['LiteLLM openai', 'LiteLLM anthropic'],
};

/** One process for all: the packages take seconds to load. */
class Drive {
  readonly #child: ChildProcess = spawn(python, [new URL('../drive.py', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  readonly #lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();

  async ask(question: object): Promise<Result> {
    this.#child.stdin!.write(`${JSON.stringify(question)}\n`);
    const { value } = (await this.#lines.next()) as { value: string | undefined };
    if (value === undefined) throw new Error('the Python process has ended');
    const answer = JSON.parse(value) as Result | { error: string; status: number | null };
    if ('error' in answer) throw Object.assign(new Error(answer.error), { status: answer.status });
    return answer;
  }

  async end(): Promise<void> {
    this.#child.stdin!.end();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
  }
}

let drive: Drive | undefined;
after(() => drive?.end());

const pythonClient =
  (name: string): MakeClient =>
  (url, apiKey) => ({
    name,
    statusOf: (error) => (error as { status?: unknown }).status,
    run: (model, task) => (drive ??= new Drive()).ask({ client: name, url, key: apiKey, model, task }),
  });

for (const [module, names] of Object.entries(CLIENTS)) {
  const isThere = await run(python, [
    '-c',
    `import importlib.util as u; assert u.find_spec("${module}")`,
  ]).then(
    () => true,
    () => false,
  );
  if (isThere) testEachUpstream(names.map(pythonClient));
  else test(`clients of the package ${module}`, { skip: `no ${module} for ${python}` }, () => {});
}
