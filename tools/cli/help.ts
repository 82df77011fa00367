/** `plugboard help [COMMAND]` */
import type { ExitCode } from './exit-code.js';

const TOPICS: Readonly<Record<string, string>> = {
  init: `plugboard init [FOLDER] [--services NAMES] [--store embedded|mongodb] [--no-upstreams] [--yes]
  Writes a first config, which starts as it is: plugboard.yaml, .env.example, .gitignore, and what these need. At a
  terminal it asks for what no option says. It looks for a local Ollama and for keys of vendors in the environment, and
  names the variables, never the keys. A file that is there already stays as it is.

  --services NAMES  all, or names with commas; what they need is added
  --store NAME      embedded: a folder, nothing to install; mongodb: a replica set, for several instances
  --no-upstreams    do not look for models
  --yes             ask nothing; all services on the embedded store unless an option says otherwise

Examples:
  plugboard init
  plugboard init backend --services memory,dataquery --yes`,
  run: `plugboard run [FILE ...] [--env-file FILE] [--watch]
  Serves the config until SIGTERM or SIGINT; then lets the requests in flight finish. SIGHUP reads the config again:
  with problems the server goes on as it was, without it starts again in the same process.

  --env-file FILE   variables for \${...} that the environment does not have; may be repeated
  --watch           reload when the config changes, restart when the code of a plugin that it names changes

  Several files make one config: maps merge, lists and scalars are replaced, null removes.

Examples:
  plugboard run
  plugboard run base.yaml production.yaml --env-file .env
  PORT=9000 plugboard run`,
  check: `plugboard check [FILE ...] [--each] [--env-file FILE] [--json]
  Says every mistake in a config with its place, without starting anything. Exit code 2 when there is one.

  --each            each file is a config of its own; otherwise they make one
  --env-file FILE   variables for \${...}
  --json            one JSON object a problem, for editors and scripts

Examples:
  plugboard check base.yaml production.yaml
  plugboard check --each config/*.yaml`,
  print: `plugboard print [FILE ...] [--env-file FILE]
  The config that is in force, with its defaults. Secrets are masked; \${...} is shown as written.`,
  scopes: `plugboard scopes [FILE ...] [--env-file FILE] [--json]
  What an API key may be allowed, by the plugin that declares it.

Examples:
  plugboard scopes
  plugboard keys create reader --scope data:read`,
  schema: `plugboard schema [OUT] [--config FILE] [--env-file FILE]
  The JSON Schema of the config file, for editors: what may be written, what it means, and what is wrong.

  --config FILE     add the plugins of others that the file names; may be repeated
  --env-file FILE   variables for \${...}

Examples:
  plugboard schema plugboard.schema.json --config plugboard.yaml`,
  plugins: `plugboard plugins [FILE ...] [--env-file FILE]
  The plugins of a config in the order of their set-up, what they need and provide, and the built-in ones it does not use.`,
  listen: `plugboard listen [--server URL] [--key KEY] [--forward-to URL] [--type TYPE ...] [--resume ID]
  Shows what changes on a server, and forwards it to a URL that the server cannot reach. It goes on when the server was
  away; what happened meanwhile is told then.

  --server URL      where the server is; http://127.0.0.1:8080 if not given
  --key KEY         an API key with the scope changes; or in PLUGBOARD_KEY
  --forward-to URL  each change is posted there as an endpoint gets it, signed by the secret that is shown
  --type TYPE       exact, or events.*; may be repeated; all if not given
  --resume ID       go on where a listener that was killed stopped, within the hour

Examples:
  plugboard listen --key pb_... --forward-to http://localhost:3000/hook
  plugboard listen --server https://api.example.com --type 'v2.core.account.*'`,
  'create-plugin': `plugboard create-plugin NAME [FOLDER] [--page]
  Writes a new plugin package: a config, a route, a stored collection, a token, and its own test, which passes.
  --page adds a page for the console.

Examples:
  plugboard create-plugin guestbook --page
  cd guestbook && npm install && npm test`,
};

const OVERVIEW = `plugboard: one configurable server for the back end of an AI application

  plugboard init [FOLDER]         write a first config
  plugboard run [FILE ...]        serve a config
  plugboard check [FILE ...]      say every mistake in a config
  plugboard print [FILE ...]      show the config in force, secrets masked
  plugboard plugins [FILE ...]    list plugins, what they need and provide
  plugboard scopes [FILE ...]     list what an API key may be allowed
  plugboard schema [OUT]          the config's JSON Schema, for editors
  plugboard listen                show changes as they happen, forward them
  plugboard create-plugin NAME    start a plugin of your own
  plugboard help [COMMAND]        more about a command
  plugboard version

Plugins add commands. They run in the server that uses the store, or else in one of their own. They take
--config FILE and --env-file FILE; repeat either for several files:

  plugboard keys create|list|rotate|revoke     plugboard users create|list|password|otp|unlock|delete
  plugboard people export|erase                plugboard secrets reseal
  plugboard apps create|list|secret|delete     plugboard data check|repair|backup|restore|export|import
  plugboard jobs, jobs cancel ID               plugboard import rows FILE
  plugboard catalog plan|migrate|history|rollback|policies|from, types
  plugboard router try MODEL
  plugboard memory export|import|restore       plugboard events import FILE
  plugboard speech plan|plans                  plugboard audit, audit verify

Several FILEs make one config. Without a FILE it is PLUGBOARD_CONFIG, or plugboard.yaml in this folder, or the default
that comes with the server, with its data in ./data.
Exit codes: 0 well, 2 a mistake in what was asked for, 1 a fault of the server.`;

/** Added to the help of plugins' commands, all of which take these two options. */
export const EVERY_COMMAND =
  'Every command takes --config FILE and --env-file FILE; repeat either for several files.';

export function help([topic = '']: readonly string[]): ExitCode {
  console.log(Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : OVERVIEW);
  return 0;
}
