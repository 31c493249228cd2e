import { randomBytes, randomUUID } from 'node:crypto'
import { readConfig } from '../../../config/config.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { findAssetId } from '../../../data/documents/assets-store.ts'
import { saveContent } from '../../../data/documents/contents-store.ts'
import { findExtractions, saveExtraction, type ExtractionRecord } from '../../../data/documents/extractions-store.ts'
import { findJob } from '../../../data/runs/jobs-store.ts'
import { endJob } from '../../../data/runs/job-endings-store.ts'
import { AppError, Conflict, Forbidden, NotFound, Unavailable, ValidationError } from '../../../domain/shared/errors.ts'
import { inBrain } from '../../../services/access/brains.ts'
import { createDocuments, type DocumentsService } from '../../../services/documents/documents.ts'
import { openEvaluator } from '../../../services/pathways/evaluation/evaluator.ts'
import { createIdempotencyKeys } from '../../../services/shared/idempotency.ts'
import { createJobStarter } from '../../../services/runs/start/job-starter.ts'
import { computeSha256 } from '../../../services/resources/content.ts'
import { openTemporal, type Temporal } from '../../../services/shared/temporal.ts'
import { createTestAccess } from '../../support/access/access.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { buildPlans } from '../../support/access/plans.ts'
import { createSpine } from '../../support/resources/spine.ts'
import { boundTo, createPrincipal } from '../../support/shared/workspace.ts'
import type { IngestRequest } from '../../../services/documents/ingest.ts'

const config = readConfig({
  ...readEnvironment(),
  TEMPORAL_TASK_QUEUE: `test-${randomBytes(6).toString('hex')}`,
})
let database: TestDatabase
/** Temporal without a worker. */
let temporal: Temporal
let documents: DocumentsService
let ann: Awaited<ReturnType<typeof createPrincipal>>

const evaluator = openEvaluator()
afterAll(() => evaluator.close())

const documentsOn = (temporal: Temporal): DocumentsService => {
  const { db } = database
  const idempotencyKeys = createIdempotencyKeys({ hours: 24 })
  const publisher = { publish: () => undefined }
  const jobStarter = createJobStarter({ db, temporal, publisher, idempotencyKeys, plans: buildPlans(db) })
  const access = createTestAccess(db)
  const { resources } = createSpine(db)
  return createDocuments({ db, access, resources, jobStarter, evaluator, idempotencyKeys, config })
}

beforeAll(async () => {
  database = await createTestDatabase()
  temporal = openTemporal(config)
  documents = documentsOn(temporal)
  ann = await createPrincipal(database.db)
})
afterAll(async () => {
  await Promise.all([database.drop(), temporal.close()])
})

const inside = <T>(work: Parameters<typeof database.db.inWorkspace<T>>[1]) =>
  database.db.inWorkspace(ann.workspace_id, work)

/** Ingests a document that a job reads. */
async function request(more: Partial<IngestRequest> & { body?: string } = {}): Promise<IngestRequest> {
  const { body = `<p>A note ${randomUUID()}</p>`, ...fields } = more
  const bytes = Buffer.from(body)
  return { content: { bytes, sha256: await computeSha256(bytes) }, from: 'text', mime_type: 'text/html', ...fields }
}

const cancelAll = async (jobId: string | null) => {
  if (jobId)
    await temporal
      .handle(jobId)
      .terminate('test')
      .catch(() => undefined)
}

describe('the progress of an extraction', () => {
  const record = (sha256: string, more: Partial<ExtractionRecord>): ExtractionRecord => ({
    sha256,
    media_type: 'text/html',
    text_sha256: null,
    title: null,
    pages: null,
    page_offsets: null,
    characters: null,
    metadata: {},
    error_code: null,
    error_message: null,
    ...more,
  })
  const failure = { error_code: 'DOCUMENT_BROKEN', error_message: 'The document is damaged' }

  test('comes from the job until the document is read, and then from the saved extraction record', async () => {
    const sent = await request()
    const { sha256 } = sent.content
    const { asset, job_id } = await documents.ingest(ann, sent)
    const stands = async () => (await documents.assets.read(ann, asset.id)).extraction
    expect(await stands()).toEqual({ status: 'processing', job_id })

    await inside(tx =>
      endJob(tx, job_id ?? '', {
        status: 'failed',
        failed_reason: 'lost',
        failed_code: 'WORKER_LOST',
        finished_at: new Date().toISOString(),
      }),
    )
    expect(await stands()).toEqual({ status: 'failed', error: { code: 'WORKER_LOST', message: 'lost' } })

    await inside(tx => saveExtraction(tx, record(sha256, failure)))
    expect(await stands()).toEqual({
      status: 'failed',
      error: { code: 'DOCUMENT_BROKEN', message: 'The document is damaged' },
    })

    const text = await computeSha256(Buffer.from('text'))
    await inside(async tx => {
      await saveContent(tx, { sha256: text, bytes: Buffer.from('text') })
      const read = { text_sha256: text, title: 'Own title', pages: 3, characters: 4, metadata: { author: 'Ann' } }
      await saveExtraction(tx, record(sha256, read))
    })
    const ready = { status: 'ready', title: 'Own title', pages: 3, characters: 4, metadata: { author: 'Ann' } }
    expect(await stands()).toEqual(ready)
    await inside(tx => saveExtraction(tx, record(sha256, failure)))
    expect(await stands()).toEqual(ready)
    expect((await documents.assets.list(ann, { limit: 1, offset: 0 })).data[0]?.extraction).toEqual(ready)
    await cancelAll(job_id)
  })

  test('a failure is cleared when the document is sent again', async () => {
    const sent = await request()
    const first = await documents.ingest(ann, sent)
    const end = { status: 'failed' as const, failed_code: 'X', finished_at: new Date().toISOString() }
    await inside(async tx => {
      await endJob(tx, first.job_id ?? '', end)
      await saveExtraction(tx, record(sent.content.sha256, failure))
    })
    const second = await documents.ingest(ann, sent)
    expect(second).toMatchObject({ is_new: false, asset: { id: first.asset.id, extraction: { status: 'processing' } } })
    expect(second.job_id).not.toBe(first.job_id)
    expect(await inside(tx => findExtractions(tx, [sent.content.sha256]))).toEqual([])
    await Promise.all([cancelAll(first.job_id), cancelAll(second.job_id)])
  })
})

describe('while Temporal is unavailable', () => {
  test('a document is kept, and sending it again finds its job, which then starts', async () => {
    const away = openTemporal({ ...config, TEMPORAL_ADDRESS: '127.0.0.1:1' })
    const sent = await request({ title: 'Patient' })
    await expect(documentsOn(away).ingest(ann, sent)).rejects.toBeInstanceOf(Unavailable)
    await away.close()
    const { asset, job_id, is_new } = await documents.ingest(ann, sent)
    expect([is_new, asset.title, asset.extraction.job_id]).toEqual([false, 'Patient', job_id])
    const run = await temporal.handle(job_id ?? '').describe()
    expect([run.type, run.status.name, await run.staticSummary()]).toEqual(['ingest', 'RUNNING', 'Patient'])
    expect(await inside(tx => findJob(tx, job_id ?? ''))).toMatchObject({
      kind: 'ingest',
      asset_id: asset.id,
      requester: 'user:ann',
      status: 'pending',
      input: {
        asset_id: asset.id,
        version: 1,
        sha256: sent.content.sha256,
      },
    })
    await cancelAll(job_id)
  })

  test('sending a document again with its key starts the job once', async () => {
    const away = openTemporal({ ...config, TEMPORAL_ADDRESS: '127.0.0.1:1' })
    const sent = await request()
    const key = { key: randomUUID(), route: 'POST /v1/assets/ingest', body_hash: 'a' }
    await expect(documentsOn(away).ingest(ann, sent, key)).rejects.toBeInstanceOf(Unavailable)
    await away.close()
    const again = await documents.ingest(ann, sent, key)
    expect(again.is_new).toBe(true)
    expect((await temporal.handle(again.job_id ?? '').describe()).status.name).toBe('RUNNING')
    expect(await documents.ingest(ann, sent, key)).toEqual(again)
    await expect(documents.ingest(ann, sent, { ...key, body_hash: 'b' })).rejects.toBeInstanceOf(Conflict)
    await cancelAll(again.job_id)
  })
})

describe('a batch', () => {
  test('is processed in order, and a rejection affects only the rejected document', async () => {
    const source_key = randomUUID()
    const [first, second] = [await request({ source_key }), await request({ source_key })]
    const elsewhere = await request({ brain_id: randomUUID() })
    const refusal = new ValidationError('not a document')
    const [disagreeing] = await documents.ingestBatch(inBrain(ann, randomUUID()), [
      await request({ brain_id: ann.first_brain }),
    ])
    expect(disagreeing).toMatchObject({ details: [{ pointer: '/brain_id' }] })
    const results = await documents.ingestBatch(ann, [
      first,
      refusal,
      elsewhere,
      await request({ body: '' }),
      second,
      first,
    ])
    const shown = results.map(one => (one instanceof AppError ? one.code : [one.is_new, one.asset.version]))
    expect(shown).toEqual([[true, 1], 'VALIDATION_ERROR', 'FORBIDDEN', 'VALIDATION_ERROR', [true, 2], [true, 3]])
    await Promise.all(results.map(async one => (one instanceof AppError ? undefined : cancelAll(one.job_id))))
  })

  test('that was interrupted is completed when it is repeated under the same key, and nothing is done twice', async () => {
    const away = openTemporal({ ...config, TEMPORAL_ADDRESS: '127.0.0.1:1' })
    const sent = [await request(), await request()]
    const key = { key: randomUUID(), route: 'POST /v1/assets/ingest', body_hash: 'a' }
    await expect(documentsOn(away).ingestBatch(ann, sent, key)).rejects.toBeInstanceOf(Unavailable)
    await away.close()
    const whole = await documents.ingestBatch(ann, sent, key)
    expect(whole).toMatchObject([{ is_new: true }, { is_new: true }])
    expect(await documents.ingestBatch(ann, sent, key)).toEqual(whole)
    await expect(documents.ingestBatch(ann, sent, { ...key, body_hash: 'b' })).rejects.toBeInstanceOf(Conflict)
    await Promise.all(whole.map(async one => (one instanceof AppError ? undefined : cancelAll(one.job_id))))
  })
})

describe('brains', () => {
  const bound = (brain: string) => boundTo(ann, brain)

  test('the same bytes form one asset in each brain', async () => {
    const body = `In a brain ${randomUUID()}`
    const brain_id = ann.first_brain
    const open = await documents.ingest(ann, await request({ body, scope: 'workspace' }))
    const first = await documents.ingest(ann, await request({ body, brain_id: brain_id.toUpperCase() }))
    expect(first).toMatchObject({ is_new: true, asset: { brain_id } })
    expect(await documents.ingest(inBrain(ann, brain_id), await request({ body }))).toMatchObject({
      is_new: false,
      asset: { id: first.asset.id },
    })
    const { sha256 } = open.asset
    expect(await inside(tx => findAssetId(tx, { brain_id: null, path: '/', sha256 }, sha256))).toBe(open.asset.id)
    await Promise.all([cancelAll(open.job_id), cancelAll(first.job_id)])
  })

  test('a bound key cannot ingest into other brains or into all brains', async () => {
    const sent = await request({ brain_id: ann.first_brain })
    await expect(documents.ingest(bound(randomUUID()), sent)).rejects.toBeInstanceOf(Forbidden)
    await expect(documents.ingest(bound(ann.first_brain), await request({ brain_id: null }))).rejects.toBeInstanceOf(
      Forbidden,
    )
    const { asset, job_id } = await documents.ingest(bound(ann.first_brain), sent)
    await expect(documents.assets.read(bound(randomUUID()), asset.id)).rejects.toBeInstanceOf(NotFound)
    await expect(documents.content(bound(randomUUID()), 'assets', asset.id)).rejects.toBeInstanceOf(NotFound)
    expect((await documents.assets.read(bound(ann.first_brain), asset.id)).brain_id).toBe(ann.first_brain)
    await cancelAll(job_id)
  })
})

test('assets with the same title get different slugs, even at the same moment', async () => {
  const title = `Report ${randomUUID()}`
  const requests = await Promise.all(Array.from({ length: 8 }, () => request({ title })))
  const all = await Promise.all(requests.map(sent => documents.ingest(ann, sent)))
  expect(new Set(all.map(({ asset }) => asset.slug)).size).toBe(8)
  await Promise.all(all.map(({ job_id }) => cancelAll(job_id)))
})
