/** A certificate authority of the test's own, and certificates of it, as files in PEM. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Authority {
  /** Path of its certificate. */
  readonly caFile: string;
  /** Path of a certificate for 127.0.0.1 with its key, for a server or a client. */
  issue(name: string): string;
}

/** Needs `openssl`. */
export function createAuthority(folder: string, name: string): Authority {
  const path = (file: string): string => join(folder, `${name}-${file}`);
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' });
  const ecKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const [caKey, caFile] = [path('ca.key'), path('ca.pem')];
  openssl('req', '-x509', ...ecKey, '-keyout', caKey, '-out', caFile, '-days', '2', '-subj', `/CN=${name}`);
  return {
    caFile,
    issue(subject) {
      const [key, request, certificate] = [path('key'), path('csr'), path('crt')];
      const extensions = path('ext');
      writeFileSync(extensions, 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
      openssl('req', ...ecKey, '-keyout', key, '-out', request, '-subj', `/CN=${subject}`);
      const signing = ['-CA', caFile, '-CAkey', caKey, '-CAcreateserial', '-days', '2'];
      openssl('x509', '-req', '-in', request, ...signing, '-extfile', extensions, '-out', certificate);
      const both = path(`${subject}.pem`);
      writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
      return both;
    },
  };
}

export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
