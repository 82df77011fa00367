/** The page "how to provoke each code", written from the recipes. */
import { CONTRACT } from '../errors/errors.js';
import { RECIPES } from './index.js';
import type { Recipe, Step } from './recipe.js';

const INTRODUCTION = `# How to provoke each error of accounts

A recipe for each of the ${RECIPES.length} codes, to see what a client does when it meets one. The tests send these very requests. Send them with a key that has the scopes \`accounts\` and \`accounts:test\`:

\`\`\`sh
curl -s http://127.0.0.1:8080/v2/core/accounts \\
  -H "authorization: Bearer $KEY" -H "content-type: application/json" \\
  -d '{"contact_email": "kim at example.com"}'
\`\`\`

- *Settings* are those of the platform: set them with \`POST /v2/test_helpers/platform\` and take them back with \`DELETE /v2/test_helpers/platform\`, or give a key a platform of its own under \`plugins.accounts.platforms\`. Live mode is a matter of the config alone.
- \`$account\` and \`$clock\` are the ids from the answers of earlier steps.
- Ids such as \`file_1\` are free: what a request refers to is made by \`POST /v2/test_helpers/fixtures\`, or by \`fixtures\` in the config.
- The first rule that a request breaks decides its code, and nothing is stored.
- A dagger (†) marks codes whose meaning no public text gives: the one here is our own.
`;

export function recipePage(): string {
  return [INTRODUCTION, ...RECIPES.map(section)].join('\n');
}

function section({ code, platform, livemode, before = [], request, config }: Recipe): string {
  const { status, on, when, local } = CONTRACT[code];
  const lines = [
    `## ${code}`,
    '',
    `${status}, on ${on.join(', ')}${local === true ? ' †' : ''}: ${when}.`,
    '',
    ...(platform === undefined ? [] : [`Settings: \`${JSON.stringify(platform)}\``, '']),
    ...(livemode === true ? ['Config: a platform with `livemode: true`', ''] : []),
    ...(config === undefined ? [] : [`Config: \`${JSON.stringify(config)}\``, '']),
    '```http',
    [...before, request].map(written).join('\n\n'),
    '```',
    '',
  ];
  return lines.join('\n');
}

function written({ method, path, body, headers = {} }: Step): string {
  return [
    `${method} ${path}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', JSON.stringify(body)]),
  ].join('\n');
}
