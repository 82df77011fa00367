/** The kernel's own routes, for operators: liveness, readiness, metrics. */
import { withDeadline } from '../../boot/deadline.js';
import { isServiceError } from '../../sdk/http/errors.js';
import type { Routes } from '../../sdk/http/routes.js';
import { isStorageError } from '../../sdk/storage/errors.js';
import type { MetricsRegistry } from '../../metrics/registry.js';
import type { MayOperate } from './operators-only.js';

export interface Check {
  readonly id: string;
  readonly optional: boolean;
  readonly run: () => unknown;
}

export interface OperationsInput {
  readonly mayOperate: MayOperate;
  readonly checks: () => readonly Check[];
  /** Plugins that were left out because they, or one that they need, failed at the start. */
  readonly degraded: () => readonly string[];
  readonly draining: () => boolean;
  readonly metrics: MetricsRegistry;
  /** The config without secrets. */
  readonly inForce: object;
  /** Called when a check begins to fail, or fails for another reason: probes ask every few seconds. */
  readonly failed: (id: string, error: unknown) => void;
}

/** A probe must answer within its own time-out, so a hanging check counts as failed. */
const CHECK_DEADLINE = 2_000;

export function addOperations(app: Routes, input: OperationsInput): void {
  const hidden = { config: { hidden: true } };
  /** Codes of the checks that fail, by plugin. */
  const failing = new Map<string, string>();
  const result = async (check: Check) => {
    const { error, ...told } = await runCheck(check);
    const code = told.ok ? undefined : told.detail.error;
    if (code === undefined) failing.delete(check.id);
    else if (failing.get(check.id) !== code) {
      failing.set(check.id, code);
      input.failed(check.id, error);
    }
    return told;
  };

  app.get('/-/live', hidden, () => ({ status: 'live' }));

  app.get('/-/ready', hidden, async (request, reply) => {
    const results = await Promise.all(input.checks().map(result));
    const degraded = [
      ...input.degraded(),
      ...results.filter(({ ok, optional }) => !ok && optional).map(({ id }) => id),
    ];
    const down = results.some(({ ok, optional }) => !ok && !optional);
    const status = input.draining() ? 'stopping' : down ? 'unavailable' : 'ready';
    void reply.code(status === 'ready' ? 200 : 503);
    if (!(await input.mayOperate(request, reply))) return { status };
    return reply.send({
      status,
      degraded,
      plugins: Object.fromEntries(results.map(({ id, ok, detail }) => [id, { ok, ...detail }])),
    });
  });

  app.get('/-/config', hidden, () => input.inForce);

  app.get('/-/metrics', hidden, async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(await input.metrics.text()),
  );
}

async function runCheck({ id, optional, run }: Check) {
  try {
    const detail = await withDeadline(
      async () => run(),
      CHECK_DEADLINE,
      () => new Error(`no answer within ${CHECK_DEADLINE} ms`),
    );
    return { id, optional, ok: true as const, detail: detail === undefined ? {} : { detail } };
  } catch (error) {
    const detail = isServiceError(error)
      ? { error: error.code, message: error.message }
      : // Only a code: inner messages may hold what strangers must not read.
        { error: isStorageError(error) ? error.code : 'failed' };
    return { id, optional, ok: false as const, detail, error };
  }
}
