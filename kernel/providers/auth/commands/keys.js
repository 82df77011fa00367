import { UserError } from '../../../sdk/command.js';
import { parseExpiry } from './expiry.js';
import { JSON_OPTION, minute, print, table } from './output.js';
import { asUserErrors, oneArgument } from './usage.js';
export function keyCommands(keys, clock) {
    return [
        {
            name: 'keys create',
            summary: 'create an API key and print it, this once',
            usage: 'NAME',
            options: {
                scope: {
                    type: 'string',
                    multiple: true,
                    value: 'SCOPE',
                    summary: 'what the key may do, e.g. manage; repeat it for several; "*" is everything',
                },
                expires: {
                    type: 'string',
                    value: 'WHEN',
                    summary: 'a time such as 2027-01-31, or a span such as 90d, 12h, 30m',
                },
                ...JSON_OPTION,
            },
            examples: [
                'plugboard keys create laptop --scope manage',
                'plugboard keys create ci --scope data:write --expires 90d',
            ],
            run: (call) => asUserErrors(() => create(keys, clock, call)),
        },
        {
            name: 'keys list',
            summary: 'list the API keys, newest first',
            options: JSON_OPTION,
            run: (call) => list(keys, clock, call),
        },
        {
            name: 'keys revoke',
            summary: 'revoke an API key at once, on every instance',
            usage: 'ID',
            options: JSON_OPTION,
            run: (call) => asUserErrors(() => revoke(keys, call)),
        },
    ];
}
async function create(keys, clock, call) {
    const name = oneArgument(call, 'NAME');
    const { scope = [], expires } = call.options;
    const scopes = [scope].flat().map(String);
    const wrong = scopes.find((each) => /^$|\s/.test(each));
    if (wrong !== undefined)
        throw new UserError(`"${wrong}" is no scope: a scope has no spaces`);
    const expiresAt = typeof expires === 'string' ? parseExpiry(expires, clock.now()) : null;
    const key = await keys.create({ name, scopes, expiresAt });
    print(call, key, [key.key]);
    call.stderr.write(`this key is shown once; its id is ${key.id}\n`);
}
async function list(keys, clock, call) {
    const all = await keys.list();
    const rows = all.map((key) => [
        key.id,
        key.name,
        key.preview,
        key.scopes.join(' ') || '-',
        minute(key.createdAt),
        minute(key.lastUsedAt),
        state(key, clock.now()),
    ]);
    print(call, { keys: all }, table(['ID', 'NAME', 'KEY', 'SCOPES', 'CREATED', 'LAST USED', 'STATE'], rows));
}
function state({ expiresAt, revokedAt }, now) {
    if (revokedAt !== null)
        return `revoked ${minute(revokedAt)}`;
    if (expiresAt === null)
        return 'active';
    return `${expiresAt.getTime() <= now ? 'expired' : 'until'} ${minute(expiresAt)}`;
}
async function revoke(keys, call) {
    const key = await keys.revoke(oneArgument(call, 'ID'));
    print(call, key, [`revoked ${key.name} (${key.preview})`]);
}
//# sourceMappingURL=keys.js.map