import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A certificate and its key, in PEM. */
export interface Certificate {
  cert: string
  key: string
}

export interface Authority extends Certificate {
  /** Issues a certificate for a name. Servers and clients can use it. */
  issue(name: string): Promise<Certificate>
}

const run = promisify(execFile)
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
const CONFIG = '[req]\ndistinguished_name = name\n[name]\n'

/** Creates a certificate with the extensions, using openssl. Without an authority, the certificate is self-signed. */
async function create(name: string, extensions: string[], authority?: Certificate): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'))
  const at = (file: string) => join(folder, file)
  try {
    await writeFile(at('config'), CONFIG)
    if (authority) await Promise.all([writeFile(at('ca'), authority.cert), writeFile(at('ca-key'), authority.key)])
    const signed = authority ? ['-CA', at('ca'), '-CAkey', at('ca-key')] : []
    const extensionArgs = extensions.flatMap(extension => ['-addext', extension])
    const files = ['-config', at('config'), '-keyout', at('key'), '-out', at('cert')]
    await run('openssl', ['req', '-x509', ...NEW_KEY, '-subj', `/CN=${name}`, ...files, ...signed, ...extensionArgs])
    const [cert, key] = await Promise.all([readFile(at('cert'), 'utf8'), readFile(at('key'), 'utf8')])
    return { cert, key }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Creates a certificate authority. */
export async function createAuthority(name: string): Promise<Authority> {
  const certificate = await create(name, ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign'])
  const usage = ['basicConstraints=critical,CA:FALSE', 'extendedKeyUsage=serverAuth,clientAuth']
  return { ...certificate, issue: subject => create(subject, [`subjectAltName=DNS:${subject}`, ...usage], certificate) }
}
