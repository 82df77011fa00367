/** Scopes that are often granted together. A preset is offered if the server has any of its scopes. */

/** Scopes of a chat application. */
const CHAT = ['chat', 'embeddings', 'models', 'memory', 'presets', 'improve', 'run', 'speech'];

export interface Preset {
  readonly id: 'chat' | 'read' | 'all';
  readonly scopes: readonly string[];
}

/** `names`: the existing scopes. */
export function presetsOf(names: readonly string[]): readonly Preset[] {
  const presets: Preset[] = [
    { id: 'chat', scopes: names.filter((name) => CHAT.includes(name)) },
    { id: 'read', scopes: names.filter((name) => name.endsWith(':read')) },
    { id: 'all', scopes: ['*'] },
  ];
  return presets.filter(({ scopes }) => scopes.length > 0);
}
