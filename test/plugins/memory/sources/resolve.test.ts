import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULTS } from '../../../../plugins/memory/engine/settings/stored-settings.js';
import { resolveSources } from '../../../../plugins/memory/engine/sources/resolve.js';
import type { Settings } from '../../../../plugins/memory/engine/settings/settings.js';

const ALL = { router: true, transformers: 'mini', static: 'hash' };
const NONE = { router: false, transformers: null, static: 'hash' };
const remote = { embeddingProviderModel: 'up/embed' };

const CASES: readonly [
  settings: Partial<Settings>,
  installed: typeof ALL | typeof NONE,
  sources: string[],
  reason: RegExp | null,
][] = [
  [{}, ALL, ['static'], null],
  [remote, ALL, ['remote', 'static'], null],
  [{ ...remote, transformersEnabled: true }, ALL, ['remote', 'transformers', 'static'], null],
  [{ ...remote, transformersEnabled: true }, NONE, ['static'], null],
  [
    { ...remote, staticEnabled: false },
    NONE,
    [],
    /^no_embedding_source: .*no plugin provides models.*staticEnabled is false/,
  ],
  [{ embeddingSource: 'remote' }, ALL, [], /^no_embedding_source: embeddingProviderModel is not set$/],
  [{ embeddingSource: 'remote', ...remote }, ALL, ['remote'], null],
  [{ embeddingSource: 'static', ...remote }, ALL, ['static'], null],
  [{ embeddingSource: 'static', staticEnabled: false }, ALL, [], /staticEnabled is false/],
  [{ embeddingSource: 'transformers' }, ALL, [], /transformersEnabled is false/],
  [
    { embeddingSource: 'transformers', transformersEnabled: true },
    NONE,
    [],
    /transformers is not configured/,
  ],
  [{ embeddingSource: 'transformers', transformersEnabled: true }, ALL, ['transformers'], null],
];

test('the settings lead to the sources they name, and a missing one says what is missing', () => {
  for (const [settings, installed, sources, reason] of CASES) {
    const resolution = resolveSources({ ...DEFAULTS, ...settings }, installed);
    assert.deepEqual(
      resolution.choices.map(({ source }) => source),
      sources,
      JSON.stringify(settings),
    );
    if (reason === null) assert.equal(resolution.reason, null);
    else assert.match(resolution.reason ?? '', reason);
  }
});
