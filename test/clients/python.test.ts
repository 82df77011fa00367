/** A client of openapi-python-client, where it is installed: it is made, imported, and runs the requests of the README. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { readmeRequests } from './readme.js';
import { serve } from './served.js';

const run = promisify(execFile);

/** Its command: `OPENAPI_PYTHON_CLIENT`, or on the path. */
const generator = process.env['OPENAPI_PYTHON_CLIENT'] ?? 'openapi-python-client';

function missing(): string | false {
  try {
    execFileSync(generator, ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'openapi-python-client is not installed: pip install openapi-python-client, and name it in OPENAPI_PYTHON_CLIENT';
  }
}

/** Reads the requests, asks each by the module of its operation, and prints the states of the answers. */
const PROGRAM = `
import importlib, json, pkgutil, sys
import made.api
from made.client import AuthenticatedClient

url, key, file = sys.argv[1:]
modules = {}
for package in pkgutil.iter_modules(made.api.__path__, "made.api."):
    for module in pkgutil.iter_modules(importlib.import_module(package.name).__path__, package.name + "."):
        modules[module.name.rsplit(".", 1)[1]] = importlib.import_module(module.name)
print(len(modules), "operations", file=sys.stderr)
for request in json.load(open(file)):
    module = modules[request["module"]]
    token, prefix = (request["basic"], "Basic") if request["basic"] else (key, "Bearer")
    client = AuthenticatedClient(base_url=url, token=token, prefix=prefix)
    arguments = dict(request["arguments"])
    if request["body"] is not None:
        body = module._get_kwargs.__annotations__["body"]
        for part in getattr(body, "__args__", (body,)):
            if hasattr(part, "from_dict"):
                arguments["body"] = part.from_dict(request["body"])
                # Nothing is lost on the way through the types of the client.
                assert arguments["body"].to_dict() == request["body"], (arguments["body"].to_dict(), request["body"])
                break
    print(int(module.sync_detailed(client=client, **arguments).status_code))
`;

test('a client of openapi-python-client runs every request of the README', { skip: missing() }, async () => {
  await using served = await serve();
  const { url, key, document, folder } = served;
  const requests = readmeRequests(document);
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const { stdout: said } = await run(
    generator,
    ['generate', '--path', file, '--meta', 'none', '--output-path', join(folder, 'made'), '--overwrite'],
    { cwd: folder },
  );
  assert.doesNotMatch(said, /warning|error/i);
  const asked = requests.map(({ operation, pathParams, query, body, basic }) => ({
    module: snake(operation.operationId),
    arguments: Object.fromEntries(
      Object.entries({ ...pathParams, ...query }).map(([name, value]) => [snake(name), value]),
    ),
    body: body ?? null,
    basic: basic === undefined ? null : Buffer.from(basic).toString('base64'),
  }));
  await writeFile(join(folder, 'requests.json'), JSON.stringify(asked));
  await writeFile(join(folder, 'program.py'), PROGRAM);
  const python = await pythonOf();
  const { stdout } = await run(python, ['program.py', url, key, 'requests.json'], {
    cwd: folder,
    env: { ...process.env, PYTHONPATH: folder },
  });
  const states = stdout.trim().split('\n').map(Number);
  // Without an upstream there is no model.
  const expected = requests.map(({ template }) => (template === '/v1/chat/completions' ? 404 : 2));
  assert.deepEqual(
    states.map((status) => (status < 300 ? 2 : status)),
    expected,
  );
});

/** The interpreter that the command itself runs on: it has what the client imports. */
async function pythonOf(): Promise<string> {
  const { stdout } = await run('sh', ['-c', `head -1 "$(command -v '${generator}')"`]);
  return stdout.slice(2).trim();
}

/** As the generator names modules and arguments. */
function snake(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/\W+/g, '_')
    .toLowerCase();
}
