/**
 * The registry of services, in tsyringe: one container for what this kernel's plugins provide, and one for each
 * plugin, which resolves what that plugin declared and nothing else. The only file that imports tsyringe.
 */
import 'reflect-metadata';
import { container as global, instanceCachingFactory, type DependencyContainer } from 'tsyringe';
import type { Container, PluginDefinition } from '../sdk/plugin/plugin.js';
import { serviceFor, type Consumer, type Token, type TokenMap } from '../sdk/plugin/token.js';

/** What tsyringe resolves: a key, a class, or a class that is looked up later (`delay`). */
type Key = Parameters<DependencyContainer['resolve']>[0];

export class Services {
  readonly #provided = global.createChildContainer();
  readonly #plugins = new Map<string, DependencyContainer>();
  /** Containers of consumers that are not plugins: the kernel itself, a test. */
  readonly #others = new Map<string, DependencyContainer>();

  provide(token: Token<unknown>, service: unknown): void {
    this.#provided.register(token.key, { useValue: service });
  }

  has(token: Token<unknown>): boolean {
    return this.#provided.isRegistered(token.key);
  }

  /** A token's service as the consumer sees it; undefined if no plugin provides it. */
  get<T>(token: Token<T>, consumer: Consumer): T | undefined {
    if (!this.has(token)) return undefined;
    const own = this.#plugins.get(consumer.id);
    if (own?.isRegistered(token.key) === true) return own.resolve(token.key);
    const other = this.#others.get(consumer.id) ?? global.createChildContainer();
    this.#others.set(consumer.id, other);
    if (!other.isRegistered(token.key)) this.#registerFor(consumer, token, other);
    return other.resolve(token.key);
  }

  /** The plugin's declared services by its own names, and a container with them under the tokens' keys. */
  inject(
    consumer: Consumer,
    { needs, wants }: PluginDefinition,
  ): { needs: Record<string, unknown>; wants: Record<string, unknown>; container: Container } {
    const own = global.createChildContainer();
    this.#plugins.set(consumer.id, own);
    const pick = (tokens: TokenMap = {}): Record<string, unknown> => {
      const there = Object.entries(tokens).filter(([, token]) => this.has(token));
      for (const [, token] of there) this.#registerFor(consumer, token, own);
      return Object.fromEntries(there.map(([name, token]) => [name, own.resolve(token.key)]));
    };
    return { needs: pick(needs), wants: pick(wants), container: asContainer(own) };
  }

  /** A scoped service is made once for each consumer. */
  #registerFor(consumer: Consumer, { key }: Token<unknown>, container: DependencyContainer): void {
    const make = instanceCachingFactory(() => serviceFor(this.#provided.resolve(key), consumer));
    container.register(key, { useFactory: make });
  }
}

function asContainer(own: DependencyContainer): Container {
  // tsyringe falls back to the global container, which all plugins and kernels share. A class asks for its
  // parameters through the same two methods, so this holds at every depth.
  const [resolve, resolveAll] = [own.resolve.bind(own), own.resolveAll.bind(own)];
  own.resolve = (key, ...rest) => resolve(ownKey(own, key), ...rest);
  own.resolveAll = (key, ...rest) => resolveAll(ownKey(own, key), ...rest);
  return {
    resolve: (constructor) => own.resolve(constructor as never),
    set: ({ key }, value) => void own.register(key, { useValue: value }),
    share: (constructor) => void own.registerSingleton(constructor as never),
  };
}

/** The key, when it may be resolved in this plugin's container. */
function ownKey<K extends Key>(own: DependencyContainer, key: K): K {
  const name = typeof key === 'function' ? key.name : String(key);
  if (global.isRegistered(key)) {
    throw new Error(
      `"${name}" is registered globally, as by @singleton(), and would be shared between plugins; mark it @injectable() and call container.share(${name})`,
    );
  }
  if ((typeof key === 'symbol' || typeof key === 'string') && !own.isRegistered(key)) {
    throw new Error(`${name} is not declared: name its token under "needs" or "wants"`);
  }
  return key;
}
