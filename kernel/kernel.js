import { Cleanup } from './cleanup.js';
import { withDeadline } from './deadline.js';
import { kernelErrors } from './http/errors.js';
import { drain } from './http/drain.js';
import { addOperations } from './http/operations.js';
import { createHttpServer } from './http/server.js';
import { secretPaths } from './log.js';
import { MetricsRegistry } from './metrics.js';
import { mayBeLeftOut } from './plan.js';
import { renderer as standardRenderer } from './providers/errors/index.js';
import { CLOCK, ERRORS, METRICS } from './sdk/tokens.js';
import { Services } from './services.js';
/** A plugin failed on the way up. The message names the plugin and the phase; the cause is the plugin's own error. */
export class BootError extends Error {
    name = 'BootError';
}
export class Kernel {
    #plan;
    #log;
    #stdout;
    #services = new Services();
    #cleanup = new Cleanup();
    #abort = new AbortController();
    #metrics = new MetricsRegistry();
    #running = [];
    #degraded = [];
    #timings = new Map();
    #born = performance.now();
    #http;
    #draining = false;
    #stopped;
    constructor(plan, { log, stdout, clock = { now: () => Date.now() } }) {
        this.#plan = plan;
        this.#log = log;
        this.#stdout = stdout;
        this.#services.provide(CLOCK, clock);
        this.#services.provide(METRICS, this.#metrics);
        this.#cleanup.add('metrics', () => this.#metrics.close());
    }
    /** Sets every plugin up, in order. On failure everything acquired so far is released and a `BootError` is thrown. */
    setup() {
        return this.#orStop(async () => {
            for (const instance of this.#plan.instances) {
                const missing = this.#missingNeed(instance);
                if (missing === undefined)
                    await this.#attempt('setup', instance, () => this.#setupOne(instance));
                else
                    await this.#leaveOut(instance, new Error(`needs ${missing.id}, whose provider was left out`));
            }
        });
    }
    /** Mounts the routes and starts the background work. Without listening, for tests: requests are injected. */
    start() {
        return this.#orStop(() => this.#start());
    }
    /** Listens on the configured address and answers the URL under which the server is reached. */
    async listen() {
        const { host, port } = this.#plan.server;
        try {
            const url = await this.app.listen({ host, port });
            for (const [id, duration] of this.#timings)
                this.#log.info(`${id} ${Math.round(duration)} ms`);
            const plugins = this.#alive().filter(({ instance }) => instance.section === 'plugins').length;
            const degraded = this.#degraded.length === 0 ? '' : `, left out: ${this.#degraded.join(', ')}`;
            this.#log.info(`ready: ${plugins} ${plugins === 1 ? 'plugin' : 'plugins'}, ${Math.round(performance.now() - this.#born)} ms, ${url}${degraded}`);
            return url;
        }
        catch (error) {
            await this.stop();
            const { code } = error;
            const reason = code === 'EADDRINUSE'
                ? `port ${port} of ${host} is in use; set server.port, or stop the other server`
                : error.message;
            throw new BootError(`cannot listen: ${reason}`, { cause: error });
        }
    }
    /** Readiness answers 503 at once; requests in flight finish; then everything is released. Never throws; may be called twice. */
    stop() {
        this.#stopped ??= this.#stop();
        return this.#stopped;
    }
    get app() {
        if (this.#http === undefined)
            throw new Error('the kernel has no HTTP server before start()');
        return this.#http.app;
    }
    get degraded() {
        return this.#degraded;
    }
    service(token, consumer) {
        return this.#services.get(token, consumer);
    }
    commands() {
        return this.#running.flatMap(({ contribution }) => contribution.commands ?? []);
    }
    async #start() {
        this.#http = await createHttpServer({
            config: this.#plan.server,
            log: this.#log,
            metrics: this.#metrics,
            renderer: () => this.#services.get(ERRORS, 'kernel') ?? standardRenderer,
        });
        const { app } = this.#http;
        this.#cleanup.add('http', () => app.close());
        addOperations(app, {
            checks: () => this.#alive().flatMap(({ instance: { id, optional }, contribution: { check } }) => check === undefined ? [] : [{ id, optional, run: check }]),
            degraded: () => this.#degraded,
            draining: () => this.#draining,
            metrics: this.#metrics,
            failed: (id, error) => this.#log.warn({ plugin: id, err: error }, 'readiness check failed'),
        });
        for (const running of this.#running)
            await this.#mount(this.#http, running);
        await app.ready();
        for (const running of this.#alive()) {
            const { instance, contribution } = running;
            await this.#attempt('start', instance, async () => contribution.start?.(), running);
        }
    }
    async #setupOne(instance) {
        const { id, definition } = instance;
        const began = performance.now();
        const { needs, wants, container } = this.#services.inject(id, definition);
        const contribution = await definition.setup({
            id,
            config: instance.config,
            baseDir: this.#plan.baseDir,
            needs,
            wants,
            container,
            log: this.#log.child({ plugin: id }, { redact: secretPaths(definition.config) }),
            stdout: this.#stdout,
            signal: this.#abort.signal,
            onStop: (release) => this.#cleanup.add(id, release),
        });
        const provided = contribution.provides ?? {};
        for (const [name, token] of Object.entries(definition.provides ?? {})) {
            if (provided[name] === undefined)
                throw new Error(`setup did not return "${name}" (${token.id}), which the plugin says it provides`);
            this.#services.provide(token, provided[name]);
        }
        this.#running.push({ instance, contribution, failed: false });
        this.#timings.set(id, performance.now() - began);
    }
    async #mount({ app, enter }, running) {
        const { instance, contribution } = running;
        const { routes } = contribution;
        if (routes === undefined)
            return;
        await app.register(async (scope) => {
            enter(scope, instance);
            if (mayBeLeftOut(instance, this.#plan.instances)) {
                scope.addHook('onRequest', (_request, _reply, done) => done(running.failed ? kernelErrors.left_out({ values: { plugin: instance.id } }) : undefined));
            }
            await this.#attempt('routes', instance, async () => routes(scope), running);
        }, { prefix: instance.prefix });
    }
    async #orStop(work) {
        try {
            await work();
        }
        catch (error) {
            await this.stop();
            throw error;
        }
    }
    /** Runs a phase of one plugin under its deadline; a failure ends the boot, or leaves an optional plugin out. */
    async #attempt(phase, instance, work, running) {
        const { setupTimeout } = this.#plan.server;
        const late = () => new Error(`did not end within ${setupTimeout} ms. You may have forgotten to resolve a promise, or what it waits for does not answer`);
        try {
            await withDeadline(work, setupTimeout, late);
        }
        catch (error) {
            if (instance.optional) {
                if (running !== undefined)
                    running.failed = true;
                await this.#leaveOut(instance, error);
                return;
            }
            throw new BootError(`plugin "${instance.id}" failed in ${phase}: ${error.message}`, {
                cause: error,
            });
        }
    }
    /** Leaves a plugin out, and those already set up that need what it provided. */
    async #leaveOut(instance, error) {
        this.#degraded.push(instance.id);
        this.#log.error({ plugin: instance.id, err: error }, 'left out');
        this.#report(await this.#cleanup.run(this.#plan.server.releaseTimeout, instance.id));
        const gone = new Set(Object.values(instance.definition.provides ?? {}).map(({ id }) => id));
        for (const running of this.#alive()) {
            const lost = Object.values(running.instance.definition.needs ?? {}).find(({ id }) => gone.has(id));
            if (lost === undefined || running.instance === instance)
                continue;
            running.failed = true;
            await this.#leaveOut(running.instance, new Error(`needs ${lost.id}, whose provider was left out`));
        }
    }
    #missingNeed({ definition }) {
        return Object.values(definition.needs ?? {}).find((token) => !this.#services.has(token));
    }
    #alive() {
        return this.#running.filter(({ failed }) => !failed);
    }
    async #stop() {
        const { drainTimeout, releaseTimeout } = this.#plan.server;
        this.#draining = true;
        if (this.#http !== undefined)
            await drain(this.#http.app, drainTimeout);
        this.#abort.abort();
        const failures = await this.#cleanup.run(releaseTimeout);
        this.#report(failures);
        return failures;
    }
    #report(failures) {
        for (const { owner, error } of failures)
            this.#log.error({ plugin: owner, err: error }, 'release failed');
    }
}
/** Sets up and starts a plan without listening. */
export async function boot(plan, options) {
    const kernel = new Kernel(plan, options);
    await kernel.setup();
    await kernel.start();
    return kernel;
}
//# sourceMappingURL=kernel.js.map