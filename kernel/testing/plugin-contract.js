/** The conformance suite of the plugin contract, for our plugins and for everyone's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileSchema, validateValue } from '../config/validate.js';
import { API } from '../sdk/plugin.js';
import { bootTest } from './boot-test.js';
/** Registers the tests that every plugin passes. `boot` says what the plugin needs beside the providers, e.g. fakes. */
export function pluginContract(plugin, { config = {}, ...boot } = {}) {
    const start = (id, extra = []) => bootTest({ ...boot, plugins: [{ plugin, id, config }, ...extra] });
    test(`${plugin.name}: its definition has a name, this api and a schema that compiles`, () => {
        assert.match(plugin.name, /^[a-z][a-z0-9-]*$/);
        assert.equal(plugin.api, API);
        assert.doesNotThrow(() => compileSchema(plugin.config));
    });
    test(`${plugin.name}: its example config is valid and a misspelled key is refused`, () => {
        const check = (value) => validateValue({ schema: plugin.config, value, path: [], expanded: new Set() });
        assert.deepEqual(check(structuredClone(config)), []);
        assert.notDeepEqual(check({ ...structuredClone(config), misspelledKey: 1 }), []);
    });
    test(`${plugin.name}: it starts, is ready and stops`, async () => {
        const server = await start(plugin.name);
        const ready = await server.inject('/-/ready');
        assert.equal(ready.statusCode, 200, ready.body);
        await server.stop();
    });
    test(`${plugin.name}: it stops without handles left open and starts again`, async () => {
        await (await start(plugin.name)).stop();
        await settle();
        const before = openHandles();
        await (await start(plugin.name)).stop();
        await settle();
        assert.deepEqual(openHandles(), before);
    });
    const provides = Object.keys(plugin.provides ?? {}).length > 0;
    const reason = 'skipped: what it provides can be provided once';
    test(`${plugin.name}: two instances live side by side`, { skip: provides ? reason : false }, async () => {
        const server = await start(plugin.name, [{ plugin, id: `${plugin.name}-2`, config, prefix: '/second' }]);
        assert.equal((await server.inject('/-/ready')).statusCode, 200);
        await server.stop();
    });
}
/** The resources that keep the event loop alive, by kind. */
function openHandles() {
    return process
        .getActiveResourcesInfo()
        .filter((kind) => kind !== 'Immediate' && kind !== 'TickObject')
        .toSorted();
}
function settle() {
    return new Promise((resolve) => setTimeout(resolve, 50));
}
//# sourceMappingURL=plugin-contract.js.map