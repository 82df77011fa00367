/** `plugboard users`: users on the command line. */
import { isIP } from 'node:net';
import { type Access, type Command, type CommandCall, UserError, randomToken } from 'plugboard/sdk';
import type { Lockout } from '../password/lockout.js';
import type { OneTimePasswords } from '../users/one-time-passwords.js';
import { LOGIN_PATTERN, type NewUser, type Users } from '../users/users.js';
import { JSON_OPTION, minute, print, table } from './output.js';
import { asUserErrors, oneArgument, readPassword } from './usage.js';

const PASSWORD_STDIN = {
  'password-stdin': { type: 'boolean', summary: 'read the password from standard input' },
} as const;

export function userCommands(
  users: Users,
  otp: OneTimePasswords,
  erase: (id: number) => Promise<unknown>,
  lockouts: readonly Pick<Lockout, 'unlock'>[],
): Command[] {
  return [
    {
      name: 'users create',
      summary: 'create a user; without --password-stdin a password is generated and printed, this once',
      usage: 'LOGIN',
      options: {
        name: { type: 'string', value: 'NAME', summary: 'full name' },
        email: { type: 'string', value: 'EMAIL', summary: 'email address' },
        'site-admin': { type: 'boolean', summary: 'marks the user as an administrator of the site' },
        access: {
          type: 'string',
          value: 'ACCESS',
          summary:
            'what the user may do with the server: admin, viewer (look) or member (own keys); default: nothing',
        },
        organization: { type: 'boolean', summary: 'an organization, which has no password' },
        ...PASSWORD_STDIN,
        ...JSON_OPTION,
      },
      examples: ['plugboard users create ann --name "Ann Lee"', 'plugboard users create acme --organization'],
      run: (call) => asUserErrors(() => create(users, call)),
    },
    {
      name: 'users list',
      summary: 'list the users by login',
      readOnly: true,
      options: JSON_OPTION,
      run: (call) => list(users, call),
    },
    {
      name: 'users password',
      summary: 'set a new password; without --password-stdin it is generated and printed, this once',
      usage: 'LOGIN',
      options: { ...PASSWORD_STDIN, ...JSON_OPTION },
      run: (call) => asUserErrors(() => setPassword(users, call)),
    },
    {
      name: 'users otp',
      summary: 'turn two-factor authentication on and print its secret, this once; or off',
      usage: 'LOGIN',
      options: { off: { type: 'boolean', summary: 'turn it off' }, ...JSON_OPTION },
      run: (call) => asUserErrors(() => setOtp(users, otp, call)),
    },
    {
      name: 'users unlock',
      summary: 'end the waits after wrong passwords: of a login, at an address, or all',
      usage: '[LOGIN]',
      options: {
        address: { type: 'string', value: 'IP', summary: 'only what holds up this address' },
        ...JSON_OPTION,
      },
      examples: ['plugboard users unlock admin', 'plugboard users unlock --address 203.0.113.9'],
      run: (call) => asUserErrors(() => unlock(lockouts, call)),
    },
    {
      name: 'users delete',
      summary: 'delete a user, and what plugins keep of the person',
      usage: 'LOGIN',
      run: (call) => asUserErrors(() => remove(users, erase, call)),
    },
  ];
}

async function create(users: Users, call: CommandCall): Promise<void> {
  const { options } = call;
  const login = oneArgument(call, 'LOGIN');
  if (!new RegExp(LOGIN_PATTERN).test(login)) {
    throw new UserError(
      `invalid login "${login}": up to 39 letters, digits, ".", "_" and "-", a letter or digit first`,
    );
  }
  const { email } = options;
  if (typeof email === 'string' && !/^[^\s@]+@\S+$/.test(email))
    throw new UserError(`invalid email address "${email}"`);
  const access = options['access'];
  if (access !== undefined && !isAccess(access))
    throw new UserError(`unknown access "${String(access)}": admin, viewer or member`);
  const isOrganization = options['organization'] === true;
  const { password, generated } = isOrganization ? {} : await choosePassword(call);
  const wanted: NewUser = {
    login,
    type: isOrganization ? 'Organization' : 'User',
    siteAdmin: options['site-admin'] === true,
    ...(password !== undefined && { password }),
    ...(typeof options['name'] === 'string' && { name: options['name'] }),
    ...(typeof email === 'string' && { email }),
    ...(isAccess(access) && { access }),
  };
  const user = await users.create(wanted);
  print(call, { ...user, ...generated }, [
    `created ${user.login} with the id ${user.id}`,
    ...passwordLines(generated),
  ]);
}

function isAccess(value: unknown): value is Access {
  return value === 'admin' || value === 'viewer' || value === 'member';
}

async function list(users: Users, call: CommandCall): Promise<void> {
  const { users: all, total } = await users.list({ limit: 10_000 });
  const rows = all.map((user) => [
    String(user.id),
    user.login,
    user.type,
    user.name ?? '-',
    user.email ?? '-',
    user.twoFactor ? 'yes' : 'no',
    user.access ?? '-',
    minute(user.createdAt),
  ]);
  print(
    call,
    { users: all, total },
    table(['ID', 'LOGIN', 'TYPE', 'NAME', 'EMAIL', 'TWO-FACTOR', 'ACCESS', 'CREATED'], rows),
  );
}

async function setPassword(users: Users, call: CommandCall): Promise<void> {
  const id = await idOf(users, oneArgument(call, 'LOGIN'));
  const { password, generated } = await choosePassword(call);
  const user = await users.change(id, { password });
  print(call, { ...user, ...generated }, [
    `the password of ${user.login} is changed`,
    ...passwordLines(generated),
  ]);
}

async function setOtp(users: Users, otp: OneTimePasswords, call: CommandCall): Promise<void> {
  const id = await idOf(users, oneArgument(call, 'LOGIN'));
  if (call.options['off'] === true) {
    const user = await otp.disable(id);
    print(call, user, [`two-factor authentication of ${user.login} is off`]);
    return;
  }
  const enrolment = await otp.enrol(id);
  print(call, enrolment, [`secret (shown once): ${enrolment.secret}`, enrolment.uri]);
}

async function unlock(lockouts: readonly Pick<Lockout, 'unlock'>[], call: CommandCall): Promise<void> {
  const [login] = call.args;
  const { address } = call.options;
  if (typeof address === 'string' && isIP(address) === 0)
    throw new UserError(`--address "${address}" is not an IP address`);
  const which = { ...(login !== undefined && { login }), ...(typeof address === 'string' && { address }) };
  let ended = 0;
  for (const lockout of lockouts) ended += await lockout.unlock(which);
  print(call, { ended }, [ended === 0 ? 'nobody waits' : `ended ${ended} ${ended === 1 ? 'wait' : 'waits'}`]);
}

async function remove(
  users: Users,
  erase: (id: number) => Promise<unknown>,
  call: CommandCall,
): Promise<void> {
  const login = oneArgument(call, 'LOGIN');
  await erase(await idOf(users, login));
  print(call, undefined, [`deleted ${login}`]);
}

async function idOf(users: Users, login: string): Promise<number> {
  const user = await users.byLogin(login);
  if (user === null) throw new UserError(`there is no user "${login}"; see "plugboard users list"`);
  return user.id;
}

/** `generated` may be shown; a password given by the caller may not. */
async function choosePassword(
  call: CommandCall,
): Promise<{ password: string; generated: { readonly password?: string } }> {
  if (call.options['password-stdin'] === true) return { password: await readPassword(call), generated: {} };
  const password = randomToken(15);
  return { password, generated: { password } };
}

function passwordLines(generated: { readonly password?: string } | undefined): string[] {
  return generated?.password === undefined ? [] : [`password (shown once): ${generated.password}`];
}
