/** `plugboard help [COMMAND]` */
import type { ExitCode } from './exit-code.js';

const TOPICS: Readonly<Record<string, string>> = {
  run: `plugboard run [FILE] [--watch]
  Serves the config until SIGTERM or SIGINT; then lets the requests in flight finish.

  --watch   restart when the config, or a plugin file that it names, changes

Examples:
  plugboard run
  plugboard run config/minimal.yaml
  PORT=9000 plugboard run`,
  check: `plugboard check [FILE ...] [--json]
  Says every mistake in a config with its place, without starting anything. Exit code 2 when there is one.

  --json    one JSON object a problem, for editors and scripts

Examples:
  plugboard check config/*.yaml`,
  print: `plugboard print [FILE]
  The config that is in force, with its defaults. Secrets are masked; \${...} is shown as written.`,
  schema: `plugboard schema [OUT]
  The JSON Schema of the config file, for editors.

Examples:
  plugboard schema config/plugboard.schema.json`,
  plugins: `plugboard plugins [FILE]
  The plugins of a config in the order of their set-up, what they need and provide, and the built-in ones it does not use.`,
  scopes: `plugboard scopes [FILE] [--json]
  What an API key may be allowed: the scopes that the plugins of a config declare.`,
  'create-plugin': `plugboard create-plugin NAME [FOLDER]
  Writes a new plugin package: a config, a route, a stored collection, a token, and its own test, which passes.

Examples:
  plugboard create-plugin guestbook
  cd guestbook && npm install && npm test`,
};

const OVERVIEW = `plugboard: one configurable server for the back end of an AI application

  plugboard run [FILE]            serve a config
  plugboard check [FILE ...]      say every mistake in a config
  plugboard print [FILE]          show the config in force, secrets masked
  plugboard plugins [FILE]        list plugins, what they need and provide
  plugboard scopes [FILE]         list what an API key may be allowed
  plugboard schema [OUT]          the config's JSON Schema, for editors
  plugboard create-plugin NAME    start a plugin of your own
  plugboard help [COMMAND]        more about a command
  plugboard version

Plugins add commands, which run in a config (--config FILE):

  plugboard keys create|list|revoke        plugboard users create|list
  plugboard apps create|list               plugboard data check|backup|restore
  plugboard import rows FILE               plugboard memory export|import

FILE is, when it is not given, PLUGBOARD_CONFIG, or plugboard.yaml in this folder, or the default that comes with the server.
Exit codes: 0 well, 2 a mistake in what was asked for, 1 a fault of the server.`;

export function help([topic = '']: readonly string[]): ExitCode {
  console.log(Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : OVERVIEW);
  return 0;
}
