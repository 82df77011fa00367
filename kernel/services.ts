/**
 * Dependency injection: one tsyringe container per plugin, which holds instances only and nothing that the
 * plugin did not declare. A shared parent would leak: a singleton first resolved in a child keeps the child's
 * overrides, and unregistered classes are built silently.
 */
import 'reflect-metadata';
import { container as base, type DependencyContainer } from 'tsyringe';
import type { Container, PluginDefinition } from './sdk/plugin.js';
import { serviceFor, type Consumer, type Token, type TokenMap } from './sdk/token.js';

export class Services {
  readonly #instances = new Map<string, unknown>();

  provide(token: Token<unknown>, instance: unknown): void {
    this.#instances.set(token.id, instance);
  }

  has(token: Token<unknown>): boolean {
    return this.#instances.has(token.id);
  }

  /** The service behind a token as the consumer sees it; undefined when nobody provides it. */
  get<T>(token: Token<T>, consumer: Consumer): T | undefined {
    return serviceFor(this.#instances.get(token.id), consumer) as T | undefined;
  }

  /** What the plugin declared, by the names it gave, and a container with the same under their tokens. */
  inject(
    consumer: Consumer,
    definition: PluginDefinition,
  ): { needs: Record<string, unknown>; wants: Record<string, unknown>; container: Container } {
    const child = base.createChildContainer();
    const pick = (tokens: TokenMap = {}): Record<string, unknown> => {
      const picked: Record<string, unknown> = {};
      for (const [name, token] of Object.entries(tokens)) {
        if (!this.has(token)) continue;
        picked[name] = this.get(token, consumer);
        child.register(token.key, { useValue: picked[name] });
      }
      return picked;
    };
    return { needs: pick(definition.needs), wants: pick(definition.wants), container: asContainer(child) };
  }
}

function asContainer(child: DependencyContainer): Container {
  return { resolve: (constructor) => child.resolve(constructor as never) };
}
