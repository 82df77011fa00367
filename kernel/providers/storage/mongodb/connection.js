/** The connection to MongoDB: the driver's client as the port's promises need it. */
import { resolve } from 'node:path';
import { MongoClient } from 'mongodb';
import { storageError } from './errors.js';
/** Connects and asks what the server is. Rejects within the server selection timeout, with no part of the password. */
export async function connect(config, baseDir) {
    const client = createClient(config, baseDir);
    try {
        await client.connect();
        const db = client.db(config.database ?? databaseIn(config.url) ?? 'plugboard');
        const hello = await db.command({ hello: 1 });
        const deployment = hello['msg'] === 'isdbgrid'
            ? 'sharded cluster'
            : typeof hello['setName'] === 'string'
                ? 'replica set'
                : 'standalone';
        return { client, db, deployment };
    }
    catch (error) {
        await client.close().catch(() => { });
        throw storageError(error);
    }
}
function createClient(config, baseDir) {
    try {
        return new MongoClient(config.url, clientOptions(config, baseDir));
    }
    catch (error) {
        // Without the driver's error as the cause: its text may hold the password.
        // oxlint-disable-next-line preserve-caught-error
        throw new Error(`storage.url is not a connection string of MongoDB: ${withoutPassword(String(error))}`);
    }
}
function clientOptions({ pool, timeouts, tls, readPreference }, baseDir) {
    const path = (file) => resolve(baseDir, file);
    return {
        appName: 'plugboard',
        writeConcern: { w: 'majority', journal: true, wtimeoutMS: timeouts.majority },
        // Local: after a refused insert the document that stood in the way is seen, also before the majority has it.
        readConcern: { level: 'local' },
        readPreference,
        retryWrites: true,
        retryReads: true,
        minPoolSize: pool.min,
        maxPoolSize: pool.max,
        connectTimeoutMS: timeouts.connect,
        serverSelectionTimeoutMS: timeouts.serverSelection,
        socketTimeoutMS: timeouts.socket,
        waitQueueTimeoutMS: timeouts.queue,
        ignoreUndefined: true,
        promoteBuffers: true,
        useBigInt64: true,
        ...(tls && {
            tls: tls.enabled,
            ...(tls.caFile !== undefined && { tlsCAFile: path(tls.caFile) }),
            ...(tls.certificateKeyFile !== undefined && { tlsCertificateKeyFile: path(tls.certificateKeyFile) }),
            ...(tls.certificateKeyPassword !== undefined && {
                tlsCertificateKeyFilePassword: tls.certificateKeyPassword,
            }),
        }),
    };
}
function databaseIn(url) {
    const name = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1];
    return name === undefined ? undefined : decodeURIComponent(name);
}
/** `mongodb://user:secret@host` becomes `mongodb://***@host`. */
function withoutPassword(text) {
    return text.replace(/\/\/[^\s"]*@/g, '//***@');
}
//# sourceMappingURL=connection.js.map