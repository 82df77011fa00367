/** Conversations with questions whose evidence is known: conversations/README.md says how a file is written. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Turn {
  /** session:turn, counted from 1. */
  readonly id: string;
  readonly session: string;
  /** With the speaker's name. */
  readonly text: string;
}

export interface Conversation {
  readonly name: string;
  readonly turns: readonly Turn[];
  readonly questions: readonly { readonly question: string; readonly evidence: readonly string[] }[];
}

const folder = resolve(import.meta.dirname, '../../memory/conversations');

/** The weights of the ranking were fixed on `friends`, trust in vectors on `friends`, `support` and `project`. */
const SETS: readonly (readonly [name: string, files: RegExp])[] = [
  ['friends', /^friends-.*\.en\.txt$/],
  ['chatty', /^chatty\.en\.txt$/],
  ['support', /^support\.en\.txt$/],
  ['project', /^project\.de\.txt$/],
  ['korean', /^friends\.ko\.txt$/],
  ['assistant', /^assistant\.en\.txt$/],
  ['club', /^club\.de\.txt$/],
  ['bookclub', /^bookclub\.en\.txt$/],
  ['helpdesk', /^helpdesk\.de\.txt$/],
  ['trip', /^trip\.de\.txt$/],
  ['devteam', /^devteam\.en\.txt$/],
  ['pairs', /^pairs\.txt$/],
];

export function conversationSets(): [name: string, conversations: Conversation[]][] {
  const files = readdirSync(folder);
  return SETS.map(([name, wanted]) => [name, files.filter((file) => wanted.test(file)).map(read)]);
}

function read(name: string): Conversation {
  const turns: Turn[] = [];
  const questions: { question: string; evidence: string[] }[] = [];
  let session = 0;
  let turn = 0;
  for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('title: ')) continue;
    if (line.startsWith('== ')) {
      session += 1;
      turn = 0;
    } else if (line.startsWith('?? ')) {
      const [question = '', evidence = ''] = line.slice(3).split(' | ');
      questions.push({ question, evidence: evidence.split(' ') });
    } else {
      turn += 1;
      turns.push({ id: `${session}:${turn}`, session: `${session}`, text: line });
    }
  }
  const known = new Set(turns.map(({ id }) => id));
  for (const { question, evidence } of questions) {
    if (!evidence.every((id) => known.has(id))) throw new Error(`${name}: "${question}" names no such turn`);
  }
  return { name, turns, questions };
}
