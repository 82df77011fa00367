import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest, pluginContract } from 'plugboard/testing';
import router from '../../../plugins/router/index.js';

pluginContract(router, {
  config: {
    upstreams: [
      { name: 'openai', baseUrl: 'https://api.openai.com/v1', apiKey: 'x', models: ['gpt-5-mini'] },
      { name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: ['qwen3'] },
    ],
    routes: { fast: { strategy: 'priority', targets: ['openai/gpt-5-mini', 'ollama/qwen3'] } },
  },
});

for (const [name, config, message] of [
  [
    'a target at an unknown upstream',
    { routes: { r: { targets: ['x/m'] } } },
    /routes\.r\.targets\[0\]: there is no upstream "x" \(configured: a\)/,
  ],
  [
    'a target that the upstream does not list',
    { routes: { r: { targets: ['a/x'] } } },
    /"x" is not in models of upstream "a" \(listed: m\)/,
  ],
  [
    'a base address with a password',
    { upstreams: [{ name: 'a', baseUrl: 'http://u:p@host/v1' }] },
    /baseUrl/,
  ],
  [
    'an address that is none',
    { upstreams: [{ name: 'a', baseUrl: 'http://a b/v1' }] },
    /upstreams\[0\]\.baseUrl: "http:\/\/a b\/v1" is not a URL/,
  ],
  [
    'a header that is ours to write',
    { upstreams: [{ name: 'a', baseUrl: 'http://h', headers: { 'Content-Length': '1' } }] },
    /upstreams\[0\]\.headers\.Content-Length: "Content-Length" is not yours to set/,
  ],
  [
    'a key and a header of its own',
    { upstreams: [{ name: 'a', baseUrl: 'http://h', apiKey: 'x', headers: { Authorization: 'Basic x' } }] },
    /give either "apiKey" or headers\.Authorization/,
  ],
  [
    'a key that no header can carry',
    { upstreams: [{ name: 'a', baseUrl: 'http://h', apiKey: 'secret\n' }] },
    /apiKey: must have the form/,
  ],
  [
    'a name that is taken twice',
    {
      upstreams: [
        { name: 'a', baseUrl: 'http://h' },
        { name: 'a', baseUrl: 'http://h' },
      ],
    },
    /"a" is taken twice/,
  ],
] as const) {
  test(`${name} stops the start with its place`, async () => {
    const upstreams = [{ name: 'a', baseUrl: 'http://127.0.0.1:1/v1', models: ['m'] }];
    await assert.rejects(
      bootTest({ plugins: [{ plugin: router, config: { upstreams, ...config } }] }),
      message,
    );
  });
}
