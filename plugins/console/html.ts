/** The one HTML document of the console, and its content security policy. */
import { createHash, randomBytes } from 'node:crypto';
import type { Built } from './built.js';

export interface Document {
  readonly html: string;
  readonly policy: string;
}

/** `base`: the console's URL path as the browser sees it, with a slash at both ends; `root`: that of the server. */
export function makeDocument(built: Built, { base, root }: { base: string; root: string }): Document {
  const nonce = randomBytes(16).toString('base64');
  // Relative addresses, so that the text and its hash are the same below every prefix.
  const map = JSON.stringify({ imports: built.imports });
  const { module, css, preload } = built.shell;
  const html = [
    '<!doctype html>',
    `<html lang="en" data-root="${root}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<base href="${base}">`,
    // Must precede the first module, or the browser ignores it.
    `<script type="importmap">${map}</script>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<title>Plugboard</title>',
    '<link rel="icon" href="data:,">',
    ...css.map((file) => `<link rel="stylesheet" href="${file}">`),
    ...preload.map((file) => `<link rel="modulepreload" href="${file}">`),
    `<script type="module" src="${module}" nonce="${nonce}" id="shell"></script>`,
    '</head>',
    '<body><div id="root"></div><noscript>The console needs JavaScript.</noscript></body>',
    '</html>',
    '',
  ].join('\n');
  return { html, policy: policyOf(nonce, map) };
}

/** Scripts and calls only of this server. Libraries create style elements at run time, with the nonce. */
function policyOf(nonce: string, map: string): string {
  const hash = createHash('sha256').update(map).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}
