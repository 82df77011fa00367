/** Scopes that are often given together. A preset is offered if the server has any of its scopes. */

/** What an application that chats with people calls. */
const CHAT = ['chat', 'embeddings', 'models', 'memory', 'presets', 'improve', 'run', 'speech'];

export interface Preset {
  readonly id: 'chat' | 'read' | 'all';
  readonly scopes: readonly string[];
}

/** `names`: the scopes that there are. */
export function presetsOf(names: readonly string[]): readonly Preset[] {
  const presets: Preset[] = [
    { id: 'chat', scopes: names.filter((name) => CHAT.includes(name)) },
    { id: 'read', scopes: names.filter((name) => name.endsWith(':read')) },
    { id: 'all', scopes: ['*'] },
  ];
  return presets.filter(({ scopes }) => scopes.length > 0);
}
