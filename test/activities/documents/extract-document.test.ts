import { createHash, randomUUID } from 'node:crypto'
import { type ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { pino } from 'pino'
import { select } from '../../../data/shared/statements.ts'
import { bigint } from '../../../data/shared/table.ts'
import { toDocumentError } from '../../../services/documents/reading/document-error.ts'
import type { ExtractedDocument } from '../../../services/documents/reading/extracted.ts'
import {
  createExtractActivity,
  createTextExtraction,
  type ExtractDeps,
  type TextExtractionDeps,
} from '../../../activities/documents/extract-document.ts'
import type { ProjectionWriter } from '../../../activities/runs/projection-writer.ts'
import { StepError } from '../../../domain/runs/step-error.ts'
import { findContent, saveContent } from '../../../data/documents/contents-store.ts'
import { openDatabase } from '../../../data/shared/database.ts'
import { findExtractions } from '../../../data/documents/extractions-store.ts'
import { insertResource } from '../../../data/resources/resources-store.ts'
import type { DocumentRef } from '../../../domain/documents/documents.ts'
import { activityEnvironment } from '../../support/stack/activity-environment.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase
let workspace_id: string

beforeAll(async () => {
  database = await createTestDatabase()
  ;({ workspace_id } = await createPrincipal(database.db))
})
afterAll(() => database.drop())

const inside = <T>(work: Parameters<typeof database.db.inWorkspace<T>>[1]) =>
  database.db.inWorkspace(workspace_id, work)

/** Creates an asset whose bytes are stored but not yet read. */
async function store(text = `text ${randomUUID()}`): Promise<DocumentRef> {
  const bytes = Buffer.from(text)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const id = randomUUID()
  const document = { description: null, media_type: 'text/plain', size: bytes.byteLength, sha256, metadata: {} }
  const place = { brain_id: null, path: '/', scope: 'workspace', is_active: true } as const
  await inside(async tx => {
    await saveContent(tx, { sha256, bytes })
    const head = { id, kind: 'assets' as const, slug: `a-${id.slice(0, 8)}`, title: 'A', ...place, document }
    await insertResource(tx, head, { author: 'user:ann', author_permissions: [], note: null, delta: null })
  })
  return { asset_id: id, version: 1, title: 'A', sha256, size: bytes.byteLength, media_type: 'text/plain' }
}

/** Returns the search entries of an asset: one per revision of its head. */
const readFailure = ({ asset_id }: DocumentRef) =>
  inside(tx =>
    select(
      tx,
      { revision: bigint(), head: bigint() },
      `select told.revision, head.revision as head from search_outbox told join resources head on head.id = resource_id
        where resource_id = $1 order by told.id`,
      [asset_id],
    ),
  )

type Extract = TextExtractionDeps['extractor']['extract']
const upper: Extract = async bytes => ({
  text: Buffer.from(bytes).toString('utf8').toUpperCase(),
  title: 'Own',
  pages: 2,
  metadata: { author: 'Ann' },
})

function activity(extract: Extract, more: Partial<ExtractDeps & TextExtractionDeps> = {}) {
  const writer: Pick<ProjectionWriter, 'recordStart'> = { recordStart: () => undefined }
  const textExtraction = createTextExtraction({
    db: database.db,
    extractor: { extract },
    transcription: { transcribe: () => Promise.reject(new Error('this test has no audio')) },
    readers: 2,
    ...more,
  })
  return createExtractActivity({ textExtraction, writer, log, ...more })
}

const job = () => ({ job_id: `ingest-${randomUUID()}`, root_job_id: 'x', workspace_id, people: [], rights: [] })
const run = (extract: ReturnType<typeof activity>, document: DocumentRef) =>
  activityEnvironment().run(extract, { job: job(), document })
const catchFailure = (extract: ReturnType<typeof activity>, document: DocumentRef) =>
  run(extract, document).then(
    () => Promise.reject(new Error('it was expected to fail')),
    (error: unknown) => error as ApplicationFailure,
  )

test('the text is stored with the bytes, and the head is queued for indexing again', async () => {
  const document = await store('some words')
  const before = await readFailure(document)
  expect(await run(activity(upper), document)).toEqual({ pages: 2, characters: 10 })
  const [extraction] = await inside(tx => findExtractions(tx, [document.sha256]))
  expect(extraction).toMatchObject({ title: 'Own', pages: 2, characters: 10, metadata: { author: 'Ann' } })
  expect((await inside(tx => findContent(tx, extraction?.text_sha256 ?? '')))?.toString()).toBe('SOME WORDS')
  const after = await readFailure(document)
  expect(after).toHaveLength(before.length + 1)
  expect(after.at(-1)?.revision).toBe(after.at(-1)?.head)
  expect(after.at(-1)?.revision).toBeGreaterThan(before.at(-1)?.revision ?? 0)
})

test('text extracted for one asset is reused for another, which is also queued for indexing', async () => {
  let calls = 0
  const counting: Extract = (...args) => {
    calls++
    return upper(...args)
  }
  const text = `shared ${randomUUID()}`
  const first = await store(text)
  await run(activity(counting), first)
  const second = await store(text)
  const before = await readFailure(second)
  expect(await run(activity(counting), second)).toEqual({ pages: 2, characters: text.length })
  expect(calls).toBe(1)
  expect((await readFailure(second)).length).toBeGreaterThan(before.length)
})

describe('failures', () => {
  test('a document failure is recorded and not retried', async () => {
    const document = await store()
    const failure = await catchFailure(
      activity(() => Promise.reject(toDocumentError(new Error('bad')))),
      document,
    )
    expect(failure).toMatchObject({ type: 'DOCUMENT_BROKEN', nonRetryable: true, message: 'The document is damaged' })
    const [extraction] = await inside(tx => findExtractions(tx, [document.sha256]))
    expect(extraction).toMatchObject({ text_sha256: null, error_code: 'DOCUMENT_BROKEN' })
    await run(activity(upper), document)
    const [read] = await inside(tx => findExtractions(tx, [document.sha256]))
    expect(read).toMatchObject({ error_code: null, characters: document.size })
  })

  test.each([
    [new StepError('EXTRACTOR_LOST', 'lost', { retryable: true }), { type: 'EXTRACTOR_LOST', nonRetryable: false }],
    [new TypeError('secret /path'), { type: 'INTERNAL', message: expect.not.stringContaining('secret') }],
  ])('any other failure leaves the document unchanged: %s', async (error, expected) => {
    const document = await store()
    expect(
      await catchFailure(
        activity(() => Promise.reject(error)),
        document,
      ),
    ).toMatchObject(expected)
    expect(await inside(tx => findExtractions(tx, [document.sha256]))).toEqual([])
  })

  test('a failure during a Postgres outage is retryable', async () => {
    const db = openDatabase({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATABASE_POOL: 1 })
    const failure = await catchFailure(activity(upper, { db }), await store())
    expect(failure).toMatchObject({ type: 'UNAVAILABLE', nonRetryable: false })
    await db.close()
  })

  test('missing bytes are not retried', async () => {
    const document = { ...(await store()), sha256: '0'.repeat(64) }
    expect(await catchFailure(activity(upper), document)).toMatchObject({ type: 'INTERNAL' })
  })
})

test('the number of readers limits concurrent reads; other reads wait, and a cancel ends the wait', async () => {
  const gates: PromiseWithResolvers<ExtractedDocument>[] = []
  const gated: Extract = () => {
    const gate = Promise.withResolvers<ExtractedDocument>()
    gates.push(gate)
    return gate.promise
  }
  const extract = activity(gated, { readers: 1 })
  const documents = [await store(), await store(), await store()]
  const environments = documents.map(() => activityEnvironment())
  const runs = environments.map((environment, i) =>
    environment.run(extract, { job: job(), document: documents[i] as DocumentRef }).catch((error: unknown) => error),
  )
  await waitUntil(() => gates.length === 1)
  environments[1]?.cancel('CANCELLED')
  expect(await runs[1]).toBeInstanceOf(CancelledFailure)
  gates[0]?.resolve({ text: 'one', title: null, metadata: {} })
  expect(await runs[0]).toEqual({ pages: null, characters: 3 })
  await waitUntil(() => gates.length === 2)
  gates[1]?.resolve({ text: 'three', title: null, metadata: {} })
  expect(await runs[2]).toEqual({ pages: null, characters: 5 })
})
