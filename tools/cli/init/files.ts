/** The files of a first config, as text: nothing is read or written here. */
import type { Answers } from './answers.js';
import type { FoundUpstream } from './upstreams.js';

export interface InitialFile {
  readonly name: string;
  readonly text: string;
  /** Whether only its owner may read it. */
  readonly secret?: boolean;
}

export interface InitialFacts {
  /** From the folder of the config, for the editor. */
  readonly schema: string;
  /** 32 bytes in base64, for a store that machines share. */
  readonly sealKey: string;
}

export function initialFiles(answers: Answers, { schema, sealKey }: InitialFacts): InitialFile[] {
  const { store, services } = answers;
  const files: InitialFile[] = [
    { name: 'plugboard.yaml', text: configText(answers, schema) },
    { name: '.gitignore', text: 'data/\nnode_modules/\n.env\n' },
    { name: '.env.example', text: envText(answers, '') },
  ];
  if (store === 'mongodb') files.push({ name: '.env', text: envText(answers, sealKey), secret: true });
  if (services.includes('dataquery')) files.push({ name: 'catalog.yaml', text: CATALOG });
  return files;
}

function configText({ services, store, upstreams }: Answers, schema: string): string {
  return [
    `# yaml-language-server: $schema=${schema}`,
    'version: 1',
    "server: { host: '${HOST:-127.0.0.1}', port: '${PORT:-8080}' }",
    'providers:',
    ...STORE_LINES[store],
    'plugins:',
    ...services.flatMap((name) => serviceLines(name, upstreams)),
    '',
  ].join('\n');
}

const STORE_LINES: Readonly<Record<Answers['store'], readonly string[]>> = {
  embedded: ["  storage: { use: embedded, path: '${PLUGBOARD_DATA:-data}' }"],
  mongodb: [
    '  storage:',
    '    use: mongodb',
    "    url: '${MONGODB_URI:?the address of a MongoDB replica set, mongodb://...}'",
    "    database: '${MONGODB_DATABASE:-plugboard}'",
    "  secrets: { keys: ['${PLUGBOARD_SEAL_KEY:?32 random bytes in base64: openssl rand -base64 32}'] }",
  ],
};

function serviceLines(name: string, upstreams: readonly FoundUpstream[]): string[] {
  if (name === 'router') return routerLines(upstreams);
  if (name === 'dataquery')
    return ['  # The tables, in catalog.yaml:', '  dataquery: { catalog: catalog.yaml }'];
  return [`  ${name}:`];
}

function routerLines(upstreams: readonly FoundUpstream[]): string[] {
  if (upstreams.length === 0)
    return [
      '  router:',
      '    # Where models are. Until there is one, chat and embeddings answer what to write here:',
      '    # upstreams:',
      "    #   - { name: openai, baseUrl: https://api.openai.com/v1, apiKey: '${OPENAI_API_KEY}' }",
      '    #   - { name: ollama, baseUrl: http://127.0.0.1:11434/v1 }',
    ];
  return ['  router:', '    upstreams:', ...upstreams.map((upstream) => `      - ${upstreamText(upstream)}`)];
}

function upstreamText({ name, dialect, baseUrl, variable }: FoundUpstream): string {
  const parts = [
    `name: ${name}`,
    ...(dialect === undefined ? [] : [`dialect: ${dialect}`]),
    ...(baseUrl === undefined ? [] : [`baseUrl: ${baseUrl}`]),
    ...(variable === undefined ? [] : [`apiKey: '\${${variable}:?the key of ${name}}'`]),
  ];
  return `{ ${parts.join(', ')} }`;
}

function envText({ store, upstreams }: Answers, sealKey: string): string {
  const lines = ['# Variables of plugboard.yaml: plugboard run --env-file .env', '# PORT=8080'];
  if (store === 'mongodb')
    lines.push(
      'MONGODB_URI=mongodb://127.0.0.1:27017/?replicaSet=rs0',
      '# 32 random bytes in base64, the same on every instance: openssl rand -base64 32',
      `PLUGBOARD_SEAL_KEY=${sealKey}`,
    );
  // A key in the environment is not copied: the environment overrides the file.
  for (const { variable } of upstreams) if (variable !== undefined) lines.push(`# ${variable}=`);
  return `${lines.join('\n')}\n`;
}

const CATALOG = `# Tables and their columns. Reference: the README of dataquery, and \`plugboard catalog plan\` before a change.
exposed: [public]

schemas:
  public:
    relations:
      notes:
        columns:
          id: { type: integer, required: true, default: { generated: identity } }
          text: { type: text, required: true }
          created_at: { type: timestamptz, required: true, default: { generated: now } }
        primaryKey: [id]
`;
