/** Boots the real kernel in memory, without listening, with fakes by token. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Type } from 'typebox';
import { findCommand, runCommand } from '../commands.js';
import { renderProblems } from '../config/problem.js';
import { configFromValue } from '../config/read.js';
import { boot } from '../kernel.js';
import { createLog } from '../log.js';
import { prepare } from '../prepare.js';
import { UserError } from '../sdk/command.js';
import { definePlugin } from '../sdk/plugin.js';
import { slots } from '../providers/index.js';
/** Boots the real kernel in memory, without listening. Throws the problems of the config as a user would see them. */
export async function bootTest(options = {}) {
    const ownDir = options.baseDir === undefined ? await mkdtemp(join(tmpdir(), 'plugboard-test-')) : undefined;
    const baseDir = options.baseDir ?? ownDir ?? '';
    const removeOwnDir = async () => {
        if (ownDir !== undefined)
            await rm(ownDir, { recursive: true, force: true });
    };
    try {
        const { value, builtins } = testConfig(options);
        const source = configFromValue('bootTest', value);
        const { plan, problems } = await prepare({ source, builtins, env: process.env, baseDir });
        if (plan === undefined)
            throw new Error(renderProblems(problems, source));
        const log = await createLog({ level: options.log === undefined ? 'silent' : 'trace', format: 'json' }, options.log);
        const stdout = options.stdout ?? new PassThrough().resume();
        const kernel = await boot(plan, { log, stdout, ...(options.clock && { clock: options.clock }) });
        const stop = async () => {
            const failures = await kernel.stop();
            await removeOwnDir();
            if (failures.length > 0)
                throw new AggregateError(failures.map(({ error }) => error), `releases failed: ${failures.map(({ owner }) => owner).join(', ')}`);
        };
        const command = (words, input = '') => runWords(kernel.commands(), words, input);
        return {
            app: kernel.app,
            baseDir,
            inject: (request) => kernel.app.inject(request),
            listen: () => kernel.app.listen({ host: '127.0.0.1', port: 0 }),
            service: (token, consumer = 'test') => {
                const service = kernel.service(token, consumer);
                if (service === undefined)
                    throw new Error(`nothing provides ${token.id} in this test`);
                return service;
            },
            command,
            key: async (...scopes) => {
                const { code, stdout, stderr } = await command([
                    'keys',
                    'create',
                    'test',
                    '--json',
                    ...scopes.flatMap((scope) => ['--scope', scope]),
                ]);
                if (code !== 0)
                    throw new Error(`keys create: ${stderr}`);
                return JSON.parse(stdout).key;
            },
            stop,
            [Symbol.asyncDispose]: stop,
        };
    }
    catch (error) {
        await removeOwnDir();
        throw error;
    }
}
/** A plugin that provides one service made by the test. */
export function fake(token, service) {
    return definePlugin({
        name: `fake-${token.id.replace(/[^a-z0-9]+/gi, '-').toLowerCase()}`,
        api: 1,
        config: Type.Object({}, { additionalProperties: false }),
        provides: { service: token },
        setup: () => ({ provides: { service: service } }),
    });
}
const TEST_SEAL_KEY = '0'.repeat(64);
/** The config that boots the plugins, each under a name that stands for the very object it was given. */
function testConfig({ plugins = [], provide = [], storage, auth, server }) {
    const entries = [...provide.map((plugin) => ({ plugin, id: undefined, config: undefined })), ...plugins];
    const builtins = {};
    const section = {};
    for (const [at, entry] of entries.entries()) {
        const use = `under-test-${at}`;
        builtins[use] = () => Promise.resolve({ default: entry.plugin });
        const { plugin: _, id, config, ...kernelKeys } = entry;
        section[id ?? entry.plugin.name] = { use, ...structuredClone(config ?? {}), ...kernelKeys };
    }
    const faked = new Set(provide.flatMap((plugin) => Object.values(plugin.provides ?? {})).map(({ id }) => id));
    const replaced = slots.filter(({ provides }) => provides.some(({ id }) => faked.has(id)));
    // A shared store has no place for a generated key, so the test brings one.
    const isShared = storage !== undefined && storage.use !== 'embedded';
    const providers = {
        ...(storage && { storage }),
        ...((auth ?? isShared) && { auth: { ...(isShared && { sealKeys: [TEST_SEAL_KEY] }), ...auth } }),
        ...Object.fromEntries(replaced.map(({ name }) => [name, { enabled: false }])),
    };
    const value = {
        version: 1,
        server: { port: 0, pressure: { eventLoopDelay: 0 }, ...server },
        providers,
        plugins: section,
    };
    return { value, builtins };
}
async function runWords(commands, words, input) {
    const found = findCommand(commands, words);
    if (found === undefined)
        return { code: 2, stdout: '', stderr: `there is no command ${words.join(' ')}` };
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const stdin = new PassThrough();
    stdin.end(input);
    const outputs = Promise.all([text(stdout), text(stderr)]);
    let code = 0;
    try {
        await runCommand(found.command, found.rest, {
            stdin,
            stdout,
            stderr,
            signal: new AbortController().signal,
        });
    }
    catch (error) {
        code = error instanceof UserError || error.userError === true ? 2 : 1;
        stderr.write(`${error.message}\n`);
    }
    stdout.end();
    stderr.end();
    const [out, err] = await outputs;
    return { code, stdout: out, stderr: err };
}
//# sourceMappingURL=boot-test.js.map