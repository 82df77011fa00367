/** Which collections and indexes there are: kept in the store, shared by every process that opens it. */
import { StorageError } from '../../../sdk/storage.js';
import { decode, encode } from './bson.js';
import { parsePath } from './path.js';
import { compile } from './predicate.js';
const VERSION = Buffer.from('version');
const NEXT_NUMBER = Buffer.from('next');
const COLLECTIONS = 'collection/';
export class Catalog {
    #version = -1;
    #collections = new Map();
    #byNumber = new Map();
    /** Reads the definitions anew when another process has changed them. Returns their version. */
    refresh(reader) {
        const version = readCounter(reader, VERSION);
        if (version !== this.#version) {
            const before = this.#collections;
            this.#collections = new Map();
            this.#byNumber = new Map();
            for (const { key, value } of reader.range('catalog', collectionRange())) {
                const name = key.toString('utf8').slice(COLLECTIONS.length);
                const definition = toDefinition(name, decode(value));
                keepTraits(before.get(name), definition);
                this.#collections.set(name, definition);
                this.#byNumber.set(definition.number, definition);
            }
            this.#version = version;
        }
        return version;
    }
    /** Reads everything anew next time: what was read in a write transaction that failed never was. */
    forget() {
        this.#version = -1;
    }
    collection(name) {
        const definition = this.#collections.get(name);
        if (definition === undefined)
            throw new StorageError('unavailable', `the collection "${name}" is gone`);
        return definition;
    }
    byNumber(number) {
        return this.#byNumber.get(number);
    }
    all() {
        return this.#collections.values();
    }
    /**
     * Makes the collection and the indexes that are missing; `build` fills a new index. An index on the same
     * paths with other options is built anew. What is no longer declared stays.
     */
    declare(environment, name, spec, build) {
        if (this.refresh(environment.latest) >= 0 && this.#isDeclared(name, spec))
            return;
        environment.write((writer) => {
            this.refresh(writer);
            if (this.#isDeclared(name, spec))
                return;
            const stored = readStored(writer, name) ?? {
                number: nextNumber(writer),
                logged: false,
                longIds: false,
                indexes: [],
            };
            const added = [];
            for (const index of spec.indexes ?? []) {
                if (stored.indexes.some((present) => sameSpec(present.spec, index)))
                    continue;
                stored.indexes = stored.indexes.filter((present) => !samePlace(present.spec, index));
                const number = nextNumber(writer);
                stored.indexes.push({ number, spec: index, multikey: 0, truncated: false });
                added.push(number);
            }
            const definition = toDefinition(name, stored);
            for (const index of definition.indexes) {
                if (!added.includes(index.number))
                    continue;
                build(writer, definition, index);
                const entry = stored.indexes.find(({ number }) => number === index.number);
                entry.multikey = index.multikey;
                entry.truncated = index.truncated;
            }
            this.#store(writer, name, stored);
        });
        this.forget();
        this.refresh(environment.latest);
    }
    #isDeclared(name, spec) {
        const definition = this.#collections.get(name);
        return (definition !== undefined &&
            (spec.indexes ?? []).every((index) => definition.indexes.some((present) => sameSpec(present.spec, index))));
    }
    /** Stores what is new in `traits`; the planners of all processes see it with the commit. */
    learn(writer, name, traits) {
        const stored = readStored(writer, name);
        if (stored === undefined)
            throw new StorageError('unavailable', `the collection "${name}" is gone`);
        let changed = false;
        for (const trait of traits)
            changed = apply(stored, trait) || changed;
        if (changed)
            this.#store(writer, name, stored);
    }
    /** After the definitions were replaced: every process reads them anew. */
    supersede(writer, version) {
        writeCounter(writer, VERSION, Math.max(version, readCounter(writer, VERSION)) + 1);
    }
    #store(writer, name, stored) {
        writer.put('catalog', Buffer.from(COLLECTIONS + name), encode(stored));
        writeCounter(writer, VERSION, readCounter(writer, VERSION) + 1);
    }
}
/** What an open transaction has learnt is not stored yet. */
function keepTraits(before, after) {
    for (const index of after.indexes) {
        const known = before?.indexes.find(({ number }) => number === index.number);
        index.multikey |= known?.multikey ?? 0;
        index.truncated ||= known?.truncated ?? false;
    }
}
function apply(stored, trait) {
    switch (trait.kind) {
        case 'logged':
        case 'longIds': {
            const known = stored[trait.kind];
            stored[trait.kind] = true;
            return !known;
        }
        case 'truncated':
        case 'multikey': {
            const index = stored.indexes.find(({ number }) => number === trait.index);
            if (index === undefined)
                return false;
            const before = trait.kind === 'truncated' ? index.truncated : index.multikey;
            if (trait.kind === 'truncated')
                index.truncated = true;
            else
                index.multikey |= trait.bits;
            return before !== (trait.kind === 'truncated' ? index.truncated : index.multikey);
        }
    }
}
function toDefinition(name, stored) {
    return {
        number: stored.number,
        name,
        logged: stored.logged,
        longIds: stored.longIds,
        indexes: stored.indexes.map(({ number, spec, multikey, truncated }) => {
            const pathNames = Object.keys(spec.keys);
            return {
                number,
                name: pathNames.join(','),
                spec,
                pathNames,
                paths: pathNames.map(parsePath),
                directions: Object.values(spec.keys),
                partial: spec.partial && compile(spec.partial),
                multikey,
                truncated,
                stored: { multikey, truncated },
            };
        }),
    };
}
function readStored(reader, name) {
    const bytes = reader.get('catalog', Buffer.from(COLLECTIONS + name));
    return bytes && decode(bytes);
}
function collectionRange() {
    return { start: Buffer.from(COLLECTIONS), end: Buffer.from('collection0') };
}
function sameSpec(a, b) {
    return encode(canonical(a)).equals(encode(canonical(b)));
}
/** The same paths in the same directions, over the same documents: one replaces the other. */
function samePlace(a, b) {
    return encode({ keys: a.keys, partial: a.partial }).equals(encode({ keys: b.keys, partial: b.partial }));
}
function canonical({ keys, unique = false, sparse = false, partial, expireAfterSeconds }) {
    return { keys, unique, sparse, partial, expireAfterSeconds };
}
function nextNumber(writer) {
    const number = readCounter(writer, NEXT_NUMBER) + 1;
    writeCounter(writer, NEXT_NUMBER, number);
    return number;
}
export function readCounter(reader, key) {
    const bytes = reader.get('catalog', key);
    return bytes === undefined ? 0 : bytes.readDoubleBE(0);
}
export function writeCounter(writer, key, value) {
    const bytes = Buffer.allocUnsafe(8);
    bytes.writeDoubleBE(value, 0);
    writer.put('catalog', key, bytes);
}
//# sourceMappingURL=catalog.js.map