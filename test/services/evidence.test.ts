import { createPublicKey, randomBytes, verify } from 'node:crypto'
import canonicalize from 'canonicalize'
import { hashCanonical } from '../../data/canonical-hash.ts'
import type { InterventionChange } from '../../domain/jobs.ts'
import type { Principal } from '../../domain/principal.ts'
import { createEvidence, type Evidence } from '../../services/evidence/evidence.ts'
import { createSigner } from '../../services/evidence/signer.ts'
import { buildIntervention } from '../support/interventions.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createPrincipal } from '../support/workspace.ts'
import { insertJob } from '../../data/jobs-store.ts'
import { createProjections } from '../../services/projections.ts'
import { at, record } from '../support/projection-fixture.ts'

const KEYS = { '2026-01': randomBytes(32), '2026-11': randomBytes(32) }
const signerOf = (current?: keyof typeof KEYS) => createSigner({ EVIDENCE_KEYS: KEYS, EVIDENCE_KEY_ID: current })

let database: TestDatabase
let principal: Principal
const opened = buildIntervention({ assignees: ['group:finance', 'user:cfo'], quorum: 2, questions: undefined })

beforeAll(async () => {
  database = await createTestDatabase()
  principal = await createPrincipal(database.db)
  const { workspace_id } = principal
  const job = { job_id: 'x-evidence', root_job_id: 'x-evidence', workspace_id, people: ['user:ann'], rights: [] }
  const row = { ...job, brain_id: null, parent_key: null, pathway_id: null, pathway_version: null, title: 'T' }
  await database.db.inWorkspace(workspace_id, tx => insertJob(tx, { ...row, requester: 'user:ann', input: {} }))
  const { id } = opened
  const first = { action: 'approve', by: 'user:bob', answered_as: 'group:finance', at: at(2), comment: 'fine' } as const
  const second = {
    action: 'approve',
    by: 'user:sam',
    on_behalf_of: 'user:cfo',
    answered_as: 'user:cfo',
    at: at(3),
  } as const
  const changes: InterventionChange[] = [
    { change: 'opened', intervention: opened },
    { change: 'answered', id, vote: first, decided: false },
    { change: 'answered', id, vote: second, decided: true, decision: second },
  ]
  await createProjections(database).applyRecord(record(job, { interventions: changes }))
})
afterAll(() => database.drop())

const read = (current?: keyof typeof KEYS) =>
  createEvidence({ db: database.db, signer: signerOf(current) }).read(principal, opened.id)

function isGenuine({ document, signature }: Evidence): boolean {
  const key = signerOf()
    .listKeys()
    .find(({ key_id }) => key_id === signature?.key_id)
  if (!signature || !key) return false
  const bytes = Buffer.from(canonicalize(document) ?? '')
  return verify(null, bytes, createPublicKey(key.public_key), Buffer.from(signature.value, 'base64'))
}

test('a document has what was shown with its hash, the run, and who answered when and in which role', async () => {
  const { document } = await read('2026-11')
  expect(document).toMatchObject({
    schema: 'evidence/1',
    is_signed: true,
    intervention: { id: opened.id, status: 'decided', quorum: 2, assignees: ['group:finance', 'user:cfo'] },
    shown: { kind: 'approval', title: 'Approve?', context: { z: 1, a: [2] } },
    shown_hash_matches: true,
    run: { job_id: 'x-evidence', requester: 'user:ann' },
    votes: [
      { by: 'user:bob', action: 'approve', at: at(2), role: 'group:finance', comment: 'fine' },
      { by: 'user:sam', action: 'approve', at: at(3), role: 'substitute of user:cfo' },
    ],
    decision: { by: 'user:sam' },
    audit: [{ action: 'intervention.answer' }, { action: 'intervention.answer' }],
  })
  expect(document.shown_hash).toBe(hashCanonical(JSON.parse(document.shown_json as string)))
})

test('a signature verifies by the public key, also after a rotation, and not for another document', async () => {
  const [former, current] = [await read('2026-01'), await read('2026-11')]
  expect([former.signature?.key_id, current.signature?.key_id]).toEqual(['2026-01', '2026-11'])
  expect([isGenuine(former), isGenuine(current)]).toEqual([true, true])
  const parsed = JSON.parse(JSON.stringify(current)) as Evidence
  expect(isGenuine(parsed)).toBe(true)
  expect(isGenuine({ ...parsed, document: { ...parsed.document, is_signed: false } })).toBe(false)
  expect(isGenuine({ ...parsed, signature: former.signature })).toBe(false)
})

test('without a key the document says that it is not signed', async () => {
  const { document, signature } = await read()
  expect([document.is_signed, signature]).toEqual([false, null])
})

test('content that was changed in the database does not have the hash of what was shown', async () => {
  await database.db.inWorkspace(principal.workspace_id, tx => tx.query(`update interventions set title = 'Approve!'`))
  expect((await read()).document).toMatchObject({ shown: { title: 'Approve!' }, shown_hash_matches: false })
})
