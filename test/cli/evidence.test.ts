import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSigner } from '../../services/evidence/signer.ts'
import { createCli } from '../support/cli.ts'
import { startHttpServer } from '../support/http-server.ts'

/** Evidence as the service signs it, verified by the command line. */

const cli = createCli()
afterAll(() => cli.remove())

const signer = createSigner({
  EVIDENCE_KEYS: { former: randomBytes(32), present: randomBytes(32) },
  EVIDENCE_KEY_ID: 'present',
})
const [former, present] = signer.listKeys().map(({ public_key }) => public_key)
// Names whose order differs by code unit and by alphabet, and numbers in several notations.
const document = { shown: { title: 'Pay 1e21 €?', é: [1e21, 0.1, -0], B: null, a: true }, decision: { by: 'user:bob' } }

function write(name: string, content: unknown): string {
  const file = join(cli.folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return file
}
const verify = (evidence: unknown, key = present) =>
  cli.run(['inbox', 'verify-evidence', write('evidence.json', evidence), '--key', write('key.pem', key)])

const signed = { document, signature: signer.sign(document) }

test('a signed document is verified by a key that was kept, without a connection', async () => {
  expect(await verify(signed)).toMatchObject({ code: 0, stdout: 'signed with the key present\n' })
})

test.each([
  ['a changed document', { ...signed, document: { ...document, decision: { by: 'user:eve' } } }, present, 1],
  ['another key', signed, former, 1],
  ['a document that is not signed', { document, signature: null }, present, 1],
  ['what is no evidence', { votes: [] }, present, 2],
  ['what is no key', signed, 'no key', 2],
])('%s is not verified', async (_, evidence, key, code) => {
  expect((await verify(evidence, key)).code).toBe(code)
})

test('without a key of its own it takes that of the service', async () => {
  const service = await startHttpServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: signer.listKeys() }))
  })
  const env = { GANGLION_URL: service.url, GANGLION_API_KEY: 'key' }
  const ask = (evidence: unknown) =>
    cli.run(['inbox', 'verify-evidence', write('evidence.json', evidence), '--json'], { env })
  const verified = await ask(signed)
  expect([verified.code, JSON.parse(verified.stdout)]).toEqual([0, { verified: true, key_id: 'present' }])
  const unknown = { ...signed, signature: { ...signed.signature, key_id: 'unknown' } }
  expect((await ask(unknown)).stderr).toContain('The service has no key unknown')
  await service.close()
})
