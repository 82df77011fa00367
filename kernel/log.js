/** The server's logger: pino, JSON lines or text, with the secrets of the configs masked. */
import { pino } from 'pino';
/** Headers that carry credentials, wherever a request is logged. */
const SECRET_HEADERS = ['authorization', 'cookie', 'set-cookie', 'x-api-key', 'x-github-otp'];
export async function createLog(config, destination) {
    const text = config.format === 'text' ||
        (config.format === 'auto' && destination === undefined && process.stdout.isTTY);
    const options = {
        level: config.level,
        base: null,
        redact: {
            paths: SECRET_HEADERS.flatMap((name) => [`req.headers["${name}"]`, `headers["${name}"]`]),
            censor: '[secret]',
        },
    };
    if (destination !== undefined)
        return pino(options, destination);
    if (!text)
        return pino(options);
    const { default: pretty } = await import('pino-pretty');
    return pino(options, pretty({
        sync: true,
        colorize: process.stdout.isTTY,
        ignore: 'plugin',
        messageFormat: '{if plugin}{plugin}: {end}{msg}',
    }));
}
/** pino redaction paths of the keys that a config schema marks `secret`, at the top and one level down in a logged object. */
export function secretPaths(schema) {
    const names = new Set();
    const walk = (part) => {
        if (typeof part !== 'object' || part === null)
            return;
        for (const [key, inner] of Object.entries(part.properties ?? {})) {
            if (inner.secret === true)
                names.add(key);
            walk(inner);
        }
        walk(part.items);
    };
    walk(schema);
    return [...names].flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*[*]["${name}"]`]);
}
//# sourceMappingURL=log.js.map