/** Logging in, making, listing and revoking API keys. Holds no key: the dialog that shows one forgets it. */
import { Api, ApiError } from './api.js';
import { byId } from './dom.js';
import { curlFor } from './example.js';
import { clearErrors, onSubmit } from './fields.js';
import { showIssued } from './issued.js';
import { focusKey, showKeys } from './list.js';
import { askRevoke } from './revoke.js';
import { chosenScopes, showScopes } from './scopes.js';

const api = new Api();
const [login, create, list] = ['login', 'create', 'list'].map(byId);
const scopeBox = byId('scopes');
const { password, name, expiresAt, seconds } = Object.fromEntries(
  [...document.querySelectorAll('input[name]')].map((input) => [input.name, input]),
);
/** The scope that speech asks for; undefined where it is not served. */
let speechScope;

await begin();

async function begin() {
  try {
    const { authenticated, requireLogin } = await api.status();
    if (requireLogin && !authenticated) showLogin();
    else await showManagement(requireLogin);
  } catch (error) {
    announce(error.message);
  }
}

function showLogin(message = '') {
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
  list.replaceChildren();
  byId('keys').hidden = true;
  byId('logout').hidden = true;
  login.hidden = false;
  announce(message);
  password.focus();
}

async function showManagement(requireLogin) {
  const scopes = await api.scopes();
  speechScope = scopes.find(({ plugin }) => plugin === 'speech')?.name;
  showScopes(scopeBox, scopes);
  showPlan();
  clearErrors(create);
  await refresh();
  login.hidden = true;
  byId('keys').hidden = false;
  byId('logout').hidden = !requireLogin;
}

async function refresh() {
  const [keys, plans] = await Promise.all([api.keys(), readPlans()]);
  showKeys(list, keys, plans, revoke);
}

/** Speech may stand under another prefix: then its plans are set at the command line. */
async function readPlans() {
  if (speechScope === undefined) return undefined;
  try {
    return await api.plans();
  } catch (error) {
    if (error.status !== 404) throw error;
    speechScope = undefined;
    showPlan();
    return undefined;
  }
}

/** A plan is asked for where the key may speak. */
function showPlan() {
  const scopes = chosenScopes(scopeBox);
  byId('plan').hidden = speechScope === undefined || !(scopes.includes(speechScope) || scopes.includes('*'));
}

onSubmit(login, async () => {
  await api.login(password.value);
  password.value = '';
  await showManagement(true);
  announce('Logged in.');
  byId('title').focus();
});

onSubmit(create, async () => {
  const scopes = chosenScopes(scopeBox);
  if (scopes.length === 0)
    throw new ApiError(0, { message: 'choose a scope: a key without one opens nothing', param: 'scopes' });
  if (seconds.validity.badInput) throw new ApiError(0, { message: 'must be a number', param: 'seconds' });
  const plan = byId('plan').hidden || seconds.value === '' ? undefined : Number(seconds.value);
  const issued = await orLogin(
    api.createKey({ name: name.value, scopes, expiresAt: endOfDay(expiresAt.value) }),
  );
  const problem = plan === undefined ? undefined : await setPlan(issued.id, plan);
  const curl = await api.description().then(
    (description) => curlFor(description, issued, document.baseURI),
    () => undefined,
  );
  create.reset();
  showPlan();
  await showIssued({ key: issued.key, name: issued.name, curl, problem });
  await orLogin(refresh());
  announce(`Made the key ${issued.name}.`);
  focusKey(list, issued.id);
});

/** Why the plan was refused, if it was: the key exists all the same, and must be shown. */
async function setPlan(id, plan) {
  try {
    await api.setPlan(id, plan);
    return undefined;
  } catch (error) {
    return `The key has the default plan, as its seconds were refused: ${error.message}`;
  }
}

async function revoke({ id, name }) {
  if (!(await askRevoke(name, () => orLogin(api.revokeKey(id))))) return;
  byId('list-error').textContent = '';
  try {
    await orLogin(refresh());
    announce(`Revoked the key ${name}.`);
    focusKey(list, id);
  } catch (error) {
    byId('list-error').textContent = error.message;
  }
}

scopeBox.addEventListener('change', showPlan);
byId('logout').addEventListener('click', () => void logOut());

async function logOut() {
  try {
    await api.logout();
    create.reset();
    clearErrors(create);
    showLogin('Logged out.');
  } catch (error) {
    announce(error.message);
  }
}

/** An ended session leads back to the login. */
async function orLogin(call) {
  try {
    return await call;
  } catch (error) {
    if (error.status === 401) showLogin(error.message);
    throw error;
  }
}

/** The end of a day where the reader is, or null: an expiry that is not set. */
function endOfDay(day) {
  if (day === '') return null;
  const end = new Date(`${day}T00:00:00`);
  end.setDate(end.getDate() + 1);
  return end.toISOString();
}

function announce(message) {
  byId('status').textContent = message;
}
