/** The page where people make, list and revoke API keys. It holds no data: that comes from routes behind guards. */
import type { Routes } from 'plugboard/sdk';
import { pageFiles } from './files.js';

/** Its own scripts and styles, calls of its own server, and nothing else; no other site may frame it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

export function pageRoutes(app: Routes): void {
  for (const { path, type, text } of pageFiles())
    app.get(path, { config: { hidden: true, home: path === '/keys' } }, (_request, reply) =>
      reply.header('content-security-policy', POLICY).type(type).send(text),
    );
}
