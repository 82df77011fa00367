/** The frame of the hosted pages: one document without scripts, its style under a nonce. */
import { randomBytes } from 'node:crypto';
import type { Reply } from 'plugboard/sdk';
import { html, Html } from './html.js';
import { STYLE as CSS } from './style.js';
import type { Texts } from './texts/en.js';

const STYLE = new Html(CSS);

export interface PageParts {
  readonly t: Texts;
  readonly title: string;
  readonly body: Html;
  /** The same page in the other language; none after a refused form. */
  readonly otherLanguage?: string | undefined;
  /** Where forms may finally lead: browsers apply `form-action` to redirects too. */
  readonly leadsTo?: readonly string[];
}

export function sendPage(reply: Reply, status: number, parts: PageParts): Reply {
  const nonce = randomBytes(16).toString('base64');
  const origins = [...new Set((parts.leadsTo ?? []).map((url) => new URL(url).origin))];
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `form-action 'self' ${origins.join(' ')}`.trim(),
    'img-src data:',
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return reply
    .code(status)
    .headers({
      'content-security-policy': policy.join('; '),
      // The key is in the first page's address, so other sites get no referrer; forms need their origin.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    })
    .type('text/html; charset=utf-8')
    .send(documentOf(parts, nonce).text);
}

function documentOf({ t, title, body, otherLanguage }: PageParts, nonce: string): Html {
  return html`<!doctype html>
    <html lang="${t.lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <style nonce="${nonce}">
          ${STYLE}
        </style>
      </head>
      <body>
        ${otherLanguage !== undefined && html`<nav><a href="${otherLanguage}" lang="${t.lang === 'en' ? 'ko' : 'en'}">${t.otherLanguage}</a></nav>`}
        <main>${body}</main>
      </body>
    </html> `;
}
