/** `plugboard apps`: applications on the command line. */
import { type Command, type CommandCall, UserError } from 'plugboard/sdk';
import type { Applications, IssuedApplication } from '../apps/applications.js';
import { JSON_OPTION, minute, print, table } from './output.js';
import { asUserErrors, oneArgument } from './usage.js';

export function appCommands(apps: Applications): Command[] {
  return [
    {
      name: 'apps create',
      summary: 'register an application and print its client secret, this once',
      usage: 'NAME',
      options: {
        url: { type: 'string', value: 'URL', summary: "the application's home page (needed)" },
        ...JSON_OPTION,
      },
      examples: ['plugboard apps create "Build bot" --url https://example.com'],
      run: (call) => asUserErrors(() => create(apps, call)),
    },
    {
      name: 'apps list',
      summary: 'list the applications by name',
      readOnly: true,
      options: JSON_OPTION,
      run: (call) => list(apps, call),
    },
    {
      name: 'apps secret',
      summary: 'replace the client secret and print the new one, this once',
      usage: 'CLIENT-ID',
      options: JSON_OPTION,
      run: (call) => asUserErrors(() => renewSecret(apps, call)),
    },
    {
      name: 'apps delete',
      summary: 'delete an application',
      usage: 'CLIENT-ID',
      run: (call) => asUserErrors(() => remove(apps, call)),
    },
  ];
}

async function create(apps: Applications, call: CommandCall): Promise<void> {
  const name = oneArgument(call, 'NAME');
  const { url } = call.options;
  if (typeof url !== 'string' || !URL.canParse(url)) throw new UserError('--url URL is missing or is no URL');
  printIssued(call, await apps.create({ name, url }));
}

async function list(apps: Applications, call: CommandCall): Promise<void> {
  const all = await apps.list();
  const rows = all.map((app) => [app.clientId, app.name, app.url, minute(app.createdAt)]);
  print(call, { apps: all }, table(['CLIENT ID', 'NAME', 'URL', 'CREATED'], rows));
}

async function renewSecret(apps: Applications, call: CommandCall): Promise<void> {
  printIssued(call, await apps.renewSecret(await idOf(apps, oneArgument(call, 'CLIENT-ID'))));
}

async function remove(apps: Applications, call: CommandCall): Promise<void> {
  const clientId = oneArgument(call, 'CLIENT-ID');
  await apps.delete(await idOf(apps, clientId));
  print(call, undefined, [`deleted ${clientId}`]);
}

async function idOf(apps: Applications, clientId: string): Promise<string> {
  const app = await apps.byClientId(clientId);
  if (app === null) throw new UserError(`there is no application "${clientId}"; see "plugboard apps list"`);
  return app.id;
}

function printIssued(call: CommandCall, app: IssuedApplication): void {
  print(call, app, [
    `client id:                  ${app.clientId}`,
    `client secret (shown once): ${app.clientSecret}`,
  ]);
}
