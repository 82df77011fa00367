/** Sends the decision of a user, with login and password as Basic: no page of another site can do that for them. */
const form = document.querySelector('form');
const problem = document.querySelector('[data-problem]');
const fields = () => Object.fromEntries(new FormData(form));

/** The code of a device that was looked up: its application was shown, and the next click decides. */
let lookedUp;

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void send(form.dataset.action === 'device' && lookedUp === undefined ? undefined : 'allow');
});

form?.querySelector('[data-deny]')?.addEventListener('click', () => {
  // An application is told without a login: nobody's account is touched.
  if (form.dataset.denied !== undefined) location.assign(form.dataset.denied);
  else void send('deny');
});

async function send(decision) {
  const { login, password, otp, ...body } = fields();
  problem.textContent = '';
  setBusy(true);
  try {
    const answer = await fetch(location.pathname, {
      method: 'POST',
      credentials: 'omit',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${base64(`${String(login)}:${String(password)}`)}`,
        ...(otp && { 'x-github-otp': otp }),
      },
      body: JSON.stringify(decision === undefined ? body : { ...body, decision }),
    });
    const told = await answer.json();
    if (answer.ok) show(told);
    else refuse(answer, told);
  } catch {
    problem.textContent = 'The server did not answer. Try again.';
  } finally {
    setBusy(false);
  }
}

function show(told) {
  if (told.location !== undefined) location.assign(told.location);
  else if (told.state === 'waiting') ask(told);
  else
    document
      .querySelector('main')
      .replaceChildren(
        element('h1', told.state === 'allowed' ? 'Your device is connected' : 'Your device gets no access'),
        element('p', 'You may close this page.'),
      );
}

function ask(told) {
  lookedUp = told;
  form.querySelector('[data-question]').textContent =
    told.scopes.length === 0
      ? `${told.application} asks to learn who you are.`
      : `${told.application} asks to use your account with these scopes:`;
  form.querySelector('[data-scopes]').replaceChildren(...told.scopes.map((scope) => element('li', scope)));
  form.querySelector('[data-asked]').hidden = false;
  form.querySelector('[data-deny]').hidden = false;
  form.elements.user_code.readOnly = true;
  const submit = form.querySelector('[type=submit]');
  submit.textContent = 'Allow';
  submit.focus();
}

function refuse(answer, told) {
  const needsCode = (answer.headers.get('x-github-otp') ?? '').startsWith('required');
  const otp = form.querySelector('[data-otp]');
  const isFirst = needsCode && otp.hidden;
  if (needsCode) otp.hidden = false;
  problem.textContent = isFirst ? 'Enter the code of your authenticator.' : told.message;
  form.querySelector(needsCode ? '#otp' : '#password').focus();
}

function setBusy(busy) {
  for (const button of form.querySelectorAll('button')) button.disabled = busy;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** UTF-8, as RFC 7617 has it. */
function base64(text) {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}
