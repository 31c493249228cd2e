import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSigner } from '../../../services/people/evidence/signer.ts'
import { createCli } from '../../support/clients/cli.ts'
import { startHttpServer } from '../../support/stack/http-server.ts'
import { UNANSWERED } from './unanswered-evidence.ts'

/** Verifies on the command line the evidence that the service signed. */

const cli = createCli()
afterAll(() => cli.remove())

const signer = createSigner({
  EVIDENCE_KEYS: { former: randomBytes(32), present: randomBytes(32) },
  EVIDENCE_KEY_ID: 'present',
})
const [former = '', present = ''] = signer.listKeys().map(({ public_key }) => public_key)
// Names that sort differently by code unit than alphabetically, and numbers in several notations.
const awkward = { title: 'Pay 1e21 €?', é: [1e21, 0.1, -0], B: null, a: true }
const document = { ...UNANSWERED, awkward }

function write(name: string, content: unknown): string {
  const file = join(cli.folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return file
}
const verify = (evidence: unknown, key = present) =>
  cli.run(['inbox', 'verify-evidence', write('evidence.json', evidence), '--key', write('key.pem', key)])

const signed = { document, shown: null, texts: [], signature: signer.sign(document) }

test('signed evidence is verified offline with stored keys', async () => {
  const stdout = 'Verified: 0 votes, signed with present; 0 texts disclosed, 0 withheld or removed.\n'
  for (const key of [present, `${former}\n${present}`])
    expect(await verify(signed, key)).toMatchObject({ code: 0, stdout })
})

test.each([
  [
    'a changed document',
    { ...signed, document: { ...document, decision: { by: 'user:eve' } } },
    present,
    1,
    'SIGNATURE_INVALID',
  ],
  ['another key', signed, former, 1, 'SIGNATURE_INVALID'],
  ['an unsigned document', { ...signed, signature: null }, present, 1, 'UNSIGNED'],
  ['another schema', { document: { schema: 'evidence/1' }, signature: null }, present, 1, 'MALFORMED'],
  ['a file without evidence', { votes: [] }, present, 2, 'does not contain evidence'],
  ['a file without a key', signed, 'no key', 2, 'does not contain a PEM public key'],
])('%s fails verification', async (_, evidence, key, code, says) => {
  const outcome = await verify(evidence, key)
  expect(outcome.code).toBe(code)
  expect(outcome.stdout + outcome.stderr).toContain(says)
})

test('without local keys, verification uses the keys of the service', async () => {
  const service = await startHttpServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: signer.listKeys() }))
  })
  const env = { GANGLION_URL: service.url, GANGLION_API_KEY: 'key' }
  const ask = (evidence: unknown) =>
    cli.run(['inbox', 'verify-evidence', write('evidence.json', evidence), '--json'], { env })
  const verified = await ask(signed)
  expect([verified.code, JSON.parse(verified.stdout)]).toMatchObject([0, { verified: true, key_ids: ['present'] }])
  const unknown = { ...signed, signature: { ...signed.signature, key_id: 'unknown' } }
  const refused = await ask(unknown)
  expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([1, { problems: [{ code: 'KEY_UNKNOWN' }] }])
  await service.close()
})
