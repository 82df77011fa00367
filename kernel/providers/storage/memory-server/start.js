/** Starts a real mongod as a replica set in a temporary folder. What it holds is gone when it stops. */
import { findMongod, versionOf } from './mongod.js';
/** Rejects with what to do when no mongod is to be had. */
export async function startMemoryServer(options = {}) {
    const path = options.binary ?? findMongod()?.path;
    if (path === undefined && options.download !== true) {
        throw new Error('no mongod on this machine: put one on the PATH, name one by MONGOMS_SYSTEM_BINARY, or allow the download');
    }
    // Loaded late: it reads the nearest package.json, and no production server needs it.
    const { MongoMemoryReplSet } = await import('mongodb-memory-server-core');
    const replicaSet = await MongoMemoryReplSet.create({
        replSet: {
            count: options.members ?? 1,
            storageEngine: 'wiredTiger',
            configSettings: { electionTimeoutMillis: 2000, heartbeatIntervalMillis: 500 },
        },
        binary: path === undefined ? downloaded(options.version) : { systemBinary: path, version: versionOf(path) },
    });
    return {
        url: replicaSet.getUri(),
        get pids() {
            return replicaSet.servers.flatMap((server) => server.instanceInfo?.instance.mongodProcess?.pid ?? []);
        },
        stop: async () => {
            await replicaSet.stop({ doCleanup: true, force: true });
        },
    };
}
function downloaded(version) {
    return version === undefined ? {} : { version };
}
//# sourceMappingURL=start.js.map