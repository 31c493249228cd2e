import { randomBytes } from 'node:crypto'
import { type EvidenceProblem, verifyEvidence } from '@ganglion/client/evidence'
import { Client } from 'pg'
import { pino } from 'pino'
import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import { NotFound } from '../../../domain/shared/errors.ts'
import type { InterventionChange, Vote } from '../../../domain/people/intervention.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { createSealing } from '../../../services/audit/seal-entries.ts'
import { createEvidence } from '../../../services/people/evidence/evidence.ts'
import type { Evidence } from '../../../contract/people/evidence.ts'
import { createSigner } from '../../../services/people/evidence/signer.ts'
import { createProjections } from '../../../services/runs/projections.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { decide, readEvidence } from '../../support/people/evidence.ts'
import { at, record } from '../../support/runs/projection-fixture.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'

const KEYS = { former: randomBytes(32), current: randomBytes(32) }
const signerOf = (current?: keyof typeof KEYS) => createSigner({ EVIDENCE_KEYS: KEYS, EVIDENCE_KEY_ID: current })
const signer = signerOf('current')
const keys = signer.listKeys()

const FIRST: Vote = {
  action: 'approve',
  by: 'user:bob',
  answered_as: 'group:finance',
  at: at(2),
  comment: 'fine',
  data: { amount: 10, note: null },
  via: { key_id: 'key-of-bob', request_id: 'request-1' },
}
const SECOND: Vote = {
  action: 'approve',
  by: 'key:robot',
  person: 'user:sam',
  on_behalf_of: 'user:cfo',
  answered_as: 'user:cfo',
  at: at(3),
}

let database: TestDatabase
let principal: Principal
/** Evidence for a decision made by two people, with sealed audit log entries. */
let evidence: Evidence

beforeAll(async () => {
  database = await createTestDatabase()
  principal = await createPrincipal(database.db)
  const { intervention } = await decide(deps(), [FIRST, SECOND])
  await createSealing({ db: database.db, log: pino({ level: 'silent' }) }).sealWorkspace(principal.workspace_id)
  evidence = await read(intervention.id)
})
afterAll(() => database.drop())

const deps = () => ({ db: database.db, signer, principal })
const read = (id: string, by = signer) => readEvidence({ ...deps(), signer: by }, id)
const codesOf = async (changed: unknown, given = keys) => [
  ...new Set((await verifyEvidence(changed, given)).problems.map(({ code }) => code)),
]

test('evidence contains the displayed content, the run, and signed votes with the person, time and role for each answer', async () => {
  const { document, shown, texts } = evidence
  const task = { quorum: 2, excluded: ['user:ann'], assignees: ['group:finance', 'user:cfo'] }
  expect(document).toMatchObject({
    schema: 'evidence/2',
    is_signed: true,
    intervention: { status: 'decided', ...task, shown_hash: hashCanonical(shown) },
    run: { kind: 'pathway', requester: 'user:ann' },
    votes: [
      {
        statement: {
          seq: 1,
          previous: null,
          decides: false,
          role: 'group:finance',
          vote: { by: 'user:bob', action: 'approve', at: at(2) },
          credential: { id: 'key-of-bob' },
          request_id: 'request-1',
          task,
        },
        signature: { key_id: 'current' },
      },
      { statement: { seq: 2, decides: true, role: 'substitute of user:cfo', vote: { person: 'user:sam' } } },
    ],
    decision: { by: 'key:robot', action: 'approve', at: at(3) },
    audit: [
      { action: 'intervention.answer', actor: 'user:bob', person: 'user:bob', key_id: 'key-of-bob' },
      { action: 'intervention.answer', actor: 'key:robot', person: 'user:sam' },
    ],
    mismatches: [],
  })
  expect(shown).toMatchObject({ kind: 'approval', title: 'Approve?', context: { z: 1, a: [2] } })
  expect(Object.fromEntries(texts.map(({ name, value }) => [name, value]))).toEqual({
    title: 'Approve?',
    description: 'It is a lot',
    context: { z: 1, a: [2] },
    comment: 'fine',
    data: { amount: 10, note: null },
  })
  const { verified, problems, votes, withheld_texts } = await verifyEvidence(evidence, keys)
  expect({ verified, problems, votes, withheld_texts }).toEqual({
    verified: true,
    problems: [],
    votes: 2,
    withheld_texts: 0,
  })
})

test('a vote does not count after its voter is excluded, and the evidence is valid', async () => {
  const { intervention, job } = await decide(deps(), [FIRST], { quorum: 2, isDecided: false })
  const { id, assignees, excluded = [] } = intervention
  const joined = [...excluded, FIRST.by]
  const handling = { revision: 1, delegations: [] }
  const third: Vote = { action: 'approve', by: 'user:cleo', answered_as: 'group:finance', at: at(4) }
  const interventions: InterventionChange[] = [
    { change: 'excluded', id, at: at(3), assignees, handling, excluded: joined },
    { change: 'answered', id, vote: SECOND, decided: false },
    { change: 'answered', id, vote: third, decided: true, decision: third },
  ]
  await createProjections(deps()).applyRecord(record(job, { interventions }))
  const { verified, problems } = await verifyEvidence(await read(id), keys)
  expect({ verified, problems }).toEqual({ verified: true, problems: [] })
})

test('a statement contains no text, only salted hashes', () => {
  const statements = JSON.stringify(evidence.document.votes)
  for (const text of ['Approve?', 'It is a lot', '"fine"', 'amount']) expect(statements).not.toContain(text)
  const salts = evidence.texts.map(({ salt }) => salt)
  expect(new Set(salts).size).toBe(salts.length)
})

/** Yields every location in a value, with a copy of the whole value in which only that location differs. */
function* changesOf(value: JsonValue, pointer = ''): Generator<[pointer: string, changed: JsonValue]> {
  if (typeof value !== 'object' || value === null) {
    yield [pointer, changeLeaf(value)]
    return
  }
  for (const [name, child] of Object.entries(value)) {
    const put = (changed: JsonValue) =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed }
    for (const [below, changed] of changesOf(child, `${pointer}/${name}`)) yield [below, put(changed)]
  }
}

function changeLeaf(value: string | number | boolean | null): JsonValue {
  if (typeof value === 'string') return value === '' ? 'x' : `${value.slice(0, -1)}${value.endsWith('x') ? 'y' : 'x'}`
  if (typeof value === 'number') return value + 1
  return value === null ? 'x' : !value
}

test('a change to any single value is detected', async () => {
  const missed: string[] = []
  let count = 0
  for (const [pointer, changed] of changesOf(evidence)) {
    count++
    if ((await verifyEvidence(changed, keys)).verified) missed.push(pointer)
  }
  expect(missed).toEqual([])
  expect(count).toBeGreaterThan(150)
})

test('a change to a statement is detected even if the document is signed again', async () => {
  const missed: string[] = []
  for (const [pointer, changed] of changesOf(evidence.document.votes as JsonValue)) {
    const document = { ...evidence.document, votes: changed }
    if ((await verifyEvidence({ ...evidence, document, signature: signer.sign(document) }, keys)).verified)
      missed.push(pointer)
  }
  expect(missed).toEqual([])
})

test('texts can be omitted one by one, and the rest still verifies', async () => {
  for (const left of evidence.texts) {
    const texts = evidence.texts.filter(text => text !== left)
    expect(await verifyEvidence({ ...evidence, shown: null, texts }, keys)).toMatchObject({
      verified: true,
      withheld_texts: 1,
    })
  }
})

test.each<[string, unknown]>([
  ['null', null],
  ['a text', 'evidence'],
  ['a list', []],
  ['evidence/1', { document: { schema: 'evidence/1', votes: [] }, signature: null }],
  ['votes that are not a list', { document: { votes: {} } }],
  ['a vote without a statement', { document: { votes: [{}], audit: [] }, signature: null }],
])('%s is rejected as evidence', async (_, given) => {
  const { verified, problems } = await verifyEvidence(given, keys)
  expect({ verified, codes: problems.map(({ code }) => code) }).toEqual({
    verified: false,
    codes: expect.arrayContaining(['MALFORMED']),
  })
})

test('a vote keeps the signature from its time, and a missing or unknown signature is reported', async () => {
  const byFormer = await decide({ ...deps(), signer: signerOf('former') }, [FIRST])
  const rotated = await read(byFormer.intervention.id)
  expect(await verifyEvidence(rotated, keys)).toMatchObject({ verified: true, key_ids: ['current', 'former'] })
  const { problems } = await verifyEvidence(
    rotated,
    keys.filter(({ key_id }) => key_id === 'current'),
  )
  expect(problems).toMatchObject([{ code: 'KEY_UNKNOWN', pointer: '/document/votes/0/signature' }])
  expect(problems[0]?.message).toContain('former')
  expect(await codesOf(rotated, [{ public_key: 'no key' } as never])).toEqual(['SIGNATURE_INVALID'])

  const unsigned = await decide({ ...deps(), signer: createSigner({}) }, [FIRST])
  expect(await codesOf(await read(unsigned.intervention.id))).toEqual(['UNSIGNED'])
  const { document, signature } = await read(unsigned.intervention.id, createSigner({}))
  expect([document.is_signed, signature]).toEqual([false, null])
})

test("repeating a projection signs nothing again, and a decision's signature covers its content", async () => {
  const bound = { ...FIRST, covers: { values: { 'input.amount': 'a'.repeat(64) }, definition: 'b'.repeat(64) } }
  const { intervention, job } = await decide(deps(), [bound])
  const before = await read(intervention.id)
  const change = {
    change: 'answered',
    id: intervention.id,
    vote: { ...FIRST, comment: 'other' },
    decided: true,
  } as const
  await createProjections(deps()).applyRecord(record(job, { interventions: [change] }))
  const after = await read(intervention.id)
  expect(after.document.votes).toEqual(before.document.votes)
  const { definition, values } = bound.covers
  expect(before.document).toMatchObject({ votes: [{ statement: { vote: { covers: { definition } } } }] })
  expect(before.texts).toContainEqual(expect.objectContaining({ name: 'covered_values', value: values }))
})

test('evidence is not found from another workspace or for unknown ids', async () => {
  const stranger = await createPrincipal(database.db)
  const id = (evidence.document.intervention as { id: string }).id
  const service = createEvidence({ db: database.db, signer })
  for (const [caller, wanted] of [
    [stranger, id],
    [principal, 'unknown'],
    [principal, ''],
  ] as const)
    await expect(service.read({ ...caller, permissions: new Set() }, wanted)).rejects.toThrow(NotFound)
})

describe('rows changed in the database', () => {
  let owner: Client
  beforeAll(async () => {
    owner = new Client({ connectionString: database.adminUrl })
    await owner.connect()
    await owner.query(`select set_config('app.workspace_id', $1, false)`, [principal.workspace_id])
  })
  afterAll(() => owner.end())

  const VOTES = 'alter table intervention_votes disable trigger user'
  const vote = (set: string) => (id: string) =>
    `${VOTES}; update intervention_votes set ${set} where intervention_id = '${id}' and seq = 1;
     alter table intervention_votes enable trigger user`
  const replaced = (from: string, to: string) => vote(`statement = replace(statement::text, '${from}', '${to}')::json`)

  test.each<[string, string, (id: string) => string]>([
    ['another title', 'TEXT_CHANGED', id => `update interventions set title = 'Approve!' where id = '${id}'`],
    ['another context', 'SHOWN_CHANGED', id => `update interventions set context = '{"z": 2}' where id = '${id}'`],
    ['another hash', 'SHOWN_CHANGED', id => `update interventions set shown_hash = 'x' where id = '${id}'`],
    ['no decision', 'DECISION_CHANGED', id => `update interventions set decision = null where id = '${id}'`],
    ['another status', 'DECISION_CHANGED', id => `update interventions set status = 'timed_out' where id = '${id}'`],
    [
      'another comment',
      'TEXT_CHANGED',
      id => `update vote_texts set texts = '{"comment": "no"}' where intervention_id = '${id}' and seq = 1`,
    ],
    [
      'another salt',
      'TEXT_CHANGED',
      id => `update vote_texts set salts = '{"title": "x"}' where intervention_id = '${id}'`,
    ],
    ['no texts', 'TEXT_MISSING', id => `delete from vote_texts where intervention_id = '${id}'`],
    ['no intervention', 'TEXT_MISSING', id => `delete from interventions where id = '${id}'`],
    ['another voter', 'SIGNATURE_INVALID', replaced('user:bob', 'user:eve')],
    ['an excluded voter', 'EXCLUDED_VOTED', replaced('user:bob', 'user:ann')],
    ['another action', 'QUORUM_WRONG', replaced('"approve"', '"reject"')],
    ['another quorum', 'QUORUM_WRONG', replaced('"quorum":2', '"quorum":1')],
    ['another time', 'VOTE_CHANGED', vote(`recorded_at = recorded_at - interval '1 day'`)],
    ['no signature', 'UNSIGNED', vote('signature = null')],
    [
      'a removed vote',
      'VOTE_MISSING',
      id => `${VOTES}; delete from intervention_votes where intervention_id = '${id}' and seq = 1`,
    ],
    [
      'a removed last vote',
      'VOTE_MISSING',
      id => `${VOTES}; delete from intervention_votes where intervention_id = '${id}' and seq = 2`,
    ],
    [
      'an audit log entry about another person',
      'AUDIT_CHANGED',
      id => `update audit_log set actor = 'user:eve' where target = '${id}' and actor = 'user:bob'`,
    ],
    [
      'no audit log entry',
      'AUDIT_MISSING',
      id => `delete from audit_log where target = '${id}' and actor = 'user:bob'`,
    ],
  ])('%s is %s', async (_, code, sql) => {
    const { intervention } = await decide(deps(), [FIRST, SECOND])
    await owner.query(sql(intervention.id))
    const changed = await read(intervention.id)
    expect(await codesOf(changed)).toContain(code)
    const noted = (changed.document.mismatches as unknown as EvidenceProblem[]).map(each => each.code)
    if (code !== 'UNSIGNED' && code !== 'SIGNATURE_INVALID') expect(noted).toContain(code)
  })
})
