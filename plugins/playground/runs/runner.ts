/** Asks each version with each model and example, some calls at a time, and checks the answers. */
import { setMaxListeners } from 'node:events';
import { principalId, Semaphore, type Models, type Principal } from 'plugboard/sdk';
import { check } from '../checks/check.js';
import type { SchemaChecker } from '../checks/schema-checker.js';
import { errors } from '../errors.js';
import type { Examples } from '../examples/examples.js';
import type { Versions } from '../versions/versions.js';
import { ask, textOf } from '../ask.js';
import { planRun, requestOf, type Cell } from './plan.js';
import type { Runs } from './runs.js';
import type { RunAnswer, RunInput, RunWithAnswers } from './schema.js';
import { sumOfCosts } from './summary.js';

export interface RunnerParts {
  readonly models: Models;
  readonly schemas: SchemaChecker;
  readonly versions: Versions;
  readonly examples: Examples;
  readonly runs: Runs;
}

export interface RunLimits {
  /** Calls per run, including those of judges. */
  readonly maxCalls: number;
  /** Concurrent calls per owner. */
  readonly parallel: number;
  /** Per run. */
  readonly maxSeconds: number;
}

interface Call {
  readonly caller: Principal;
  readonly signal: AbortSignal;
}

/** Concurrent runs per owner. */
const MOST_RUNS = 2;
/** Stored characters of an answer. */
const MOST_KEPT = 10_000;

export class Runner {
  readonly #parts: RunnerParts;
  readonly #limits: RunLimits;
  readonly #calls: Semaphore;
  readonly #running = new Semaphore(MOST_RUNS, {
    queue: 0,
    full: () => errors.too_many_runs({ values: { limit: MOST_RUNS } }),
  });

  constructor(parts: RunnerParts, limits: RunLimits) {
    this.#parts = parts;
    this.#limits = limits;
    this.#calls = new Semaphore(limits.parallel);
  }

  /** Returns the finished run. `gone` stops it: a run that nobody waits for spends nothing. */
  async run(caller: Principal, preset: string, input: RunInput, gone: AbortSignal): Promise<RunWithAnswers> {
    const { versions, runs } = this.#parts;
    const owner = principalId(caller);
    const { maxCalls, maxSeconds } = this.#limits;
    return this.#running.run(
      async () => {
        const names = [...new Set(input.versions ?? [undefined])];
        const chosen = await Promise.all(names.map((name) => versions.get(owner, preset, name)));
        // Two labels may be on one version.
        const asked = [...new Map(chosen.map((one) => [one.version, one])).values()];
        const cells = planRun(asked, input.models, await this.#examplesOf(owner, preset, input), maxCalls);
        const limit = maxSeconds * 1_000;
        const id = await runs.begin({ owner, preset, total: cells.length, limit });
        try {
          const signal = AbortSignal.any([gone, AbortSignal.timeout(limit)]);
          // Every call of the run adds a listener.
          setMaxListeners(0, signal);
          await this.#answerAll(cells, { caller, signal }, (at, answer) => runs.add(owner, id, at, answer));
        } finally {
          await runs.end(id);
        }
        return runs.get(owner, id);
      },
      { key: owner },
    );
  }

  async #examplesOf(owner: string, preset: string, { variables }: RunInput) {
    if (variables !== undefined) return [{ variables, checks: [] }];
    const kept = await this.#parts.examples.get(owner, preset);
    return kept.length === 0 ? [{ variables: {}, checks: [] }] : kept;
  }

  /** Finishes all calls, even if one fails. */
  async #answerAll(
    cells: readonly Cell[],
    call: Call,
    keep: (at: number, answer: RunAnswer) => Promise<void>,
  ): Promise<void> {
    const lane = { key: principalId(call.caller), signal: call.signal };
    const ended = await Promise.allSettled(
      cells.map((cell, at) => this.#calls.run(async () => keep(at, await this.#answer(cell, call)), lane)),
    );
    const [failed] = ended.filter((one) => one.status === 'rejected');
    if (failed !== undefined && !call.signal.aborted) throw failed.reason as Error;
  }

  async #answer(cell: Cell, call: Call): Promise<RunAnswer> {
    const { version, model, at, example } = cell;
    const { models } = this.#parts;
    const request = requestOf(cell);
    const began = performance.now();
    const asked = await ask(models, request, { ...call, purpose: 'playground.run' });
    const ms = Math.round(performance.now() - began);
    const { use } = asked;
    const text = asked.completion === undefined ? '' : textOf(asked.completion);
    const { verdicts, uses } =
      asked.completion === undefined
        ? { verdicts: [], uses: [] }
        : await check(this.#parts, example.checks, { messages: request.messages, text }, call);
    return {
      version: version.version,
      model,
      example: at,
      variables: example.variables,
      text: text.slice(0, MOST_KEPT),
      cut: text.length > MOST_KEPT,
      error: asked.completion === undefined ? asked.error : null,
      passed: verdictOf(verdicts.map(({ passed }) => passed)),
      checks: [...verdicts],
      ms,
      tokens_in: use?.tokensIn ?? 0,
      tokens_out: use?.tokensOut ?? 0,
      estimated: use?.estimated ?? false,
      cost: use === undefined ? 0 : use.cost,
      judge_cost: sumOfCosts(uses.map(({ cost }) => cost)),
    };
  }
}

/** The verdict on an answer from those of its checks. */
function verdictOf(verdicts: readonly (boolean | null)[]): boolean | null {
  if (verdicts.includes(false)) return false;
  return verdicts.length === 0 || verdicts.includes(null) ? null : true;
}
