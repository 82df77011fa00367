/** The two HTML pages of OAuth: the consent page of an application, and the page to enter a device code. */
import type { Routes } from 'plugboard/sdk';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escaped } from './answer.js';
import { refusal, type AuthorizationRequest } from './authorization-request.js';
import type { AuthorizeQuery } from './schema.js';

const FILES = join(import.meta.dirname, 'files');

/** Only its own script and style and calls to its own server; no other site may frame it (clickjacking). */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** The pages' files. Read once: no part of a request's path reaches the file system. */
export function pageFiles(app: Routes): void {
  for (const [name, type] of [
    ['consent.js', 'text/javascript'],
    ['consent.css', 'text/css'],
  ] as const) {
    const text = readFileSync(join(FILES, name), 'utf8');
    app.get(`/login/oauth/${name}`, { config: { hidden: true } }, (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).send(text),
    );
  }
}

export function consentPage(request: AuthorizationRequest, query: AuthorizeQuery): string {
  const { app, scopes, redirectUri } = request;
  const hidden = Object.entries(query)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}" />`);
  return page(
    '',
    `Allow ${app.name}?`,
    `<p><strong>${escaped(app.name)}</strong> asks to use your account.</p>
${scopeList(scopes)}
<form data-action="authorize" data-denied="${escaped(refusal(request, 'access_denied'))}">
${hidden.join('\n')}
${LOGIN}
<p class="buttons"><button type="submit">Allow</button> <button type="button" class="quiet" data-deny>Deny</button></p>
</form>
<p class="note">You go back to ${escaped(new URL(redirectUri).host)}.</p>`,
  );
}

export function devicePage(userCode: string): string {
  return page(
    'oauth/',
    'Connect a device',
    `<p>Enter the code that your device shows. Only do so if you started this yourself.</p>
<form data-action="device">
<label for="user_code">Code</label>
<input id="user_code" name="user_code" value="${escaped(userCode)}" required autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="ABCD-EFGH" />
${LOGIN}
<div data-asked hidden><p data-question></p><ul data-scopes></ul></div>
<p class="buttons"><button type="submit">Continue</button> <button type="button" class="quiet" data-deny hidden>Deny</button></p>
</form>`,
  );
}

export function messagePage(title: string, message: string): string {
  return page('', title, `<p>${escaped(message)}</p>`);
}

const LOGIN = `<label for="login">Login</label>
<input id="login" name="login" required autocomplete="username" autocapitalize="none" spellcheck="false" />
<label for="password">Password</label>
<input id="password" name="password" type="password" required autocomplete="current-password" />
<div data-otp hidden>
<label for="otp">One-time password</label>
<input id="otp" name="otp" inputmode="numeric" autocomplete="one-time-code" />
</div>
<p class="problem" role="alert" data-problem></p>`;

function scopeList(scopes: readonly string[]): string {
  if (scopes.length === 0) return '<p>It asks for no scope: it learns who you are.</p>';
  return `<p>It may then use these scopes:</p>
<ul>${scopes.map((scope) => `<li><code>${escaped(scope)}</code></li>`).join('')}</ul>`;
}

/** `files`: path from the page to its script and style; relative, so it works under any prefix. */
function page(files: string, title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${escaped(title)} - Plugboard</title>
<link rel="icon" href="data:," />
<link rel="stylesheet" href="${files}consent.css" />
<script type="module" src="${files}consent.js"></script>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<noscript><p class="problem">This page needs JavaScript.</p></noscript>
${body}
</main>
</body>
</html>
`;
}
