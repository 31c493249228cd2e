import { spawnSync } from 'node:child_process'
import { children } from '../../../dev/machine/process-table.ts'
import { findExtractions } from '../../../data/documents/extractions-store.ts'
import { pdf } from '../../activities/documents/fixtures/pdf.ts'
import { ingest, ingestFile, readAsset } from '../../support/documents/documents.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { readEvents, jobWith } from '../../support/runs/runs.ts'
import { useOwnStack } from '../../support/stack/use-stack.ts'

const context = useOwnStack()

/** A unique PDF that takes several seconds to read. */
const longPdf = (name: string, pages = 1_000) =>
  pdf({ pages: Array.from({ length: pages }, () => [name, ...Array<string>(40).fill('Some words of a page')]) })

/** Sends a document and waits until its first pages are read. */
async function beingRead(name: string) {
  const { body } = await ingestFile(context.workspace.client, { bytes: longPdf(name), name: `${name}.pdf` })
  const jobId = body.job_id ?? ''
  await waitUntil(async () => ((await jobWith(context.workspace.client, jobId, 'running')).progress?.done ?? 0) > 0)
  return { asset: body.asset, jobId }
}

/** Lists the worker processes that read documents, omitting its other processes. */
const readers = () =>
  children(context.stack.worker.child.pid ?? 0).filter(({ pid }) =>
    spawnSync('ps', ['-o', 'args=', '-p', String(pid)]).stdout.includes('documents/extract'),
  )
const control = (jobId: string, verb: string) =>
  context.workspace.client.post<{ code: string; message: string; status: string; receipt: object[] }>(
    `/v1/jobs/${jobId}/${verb}`,
  )

test('a cancel stops the reading and is visible everywhere', async () => {
  const { client } = context.workspace
  const { asset, jobId } = await beingRead('cancelled')
  expect(readers()).toHaveLength(1)
  expect((await client.get(`/v1/assets/${asset.id}`)).body).toMatchObject({
    extraction: { status: 'processing', job_id: jobId },
  })
  for (const verb of ['pause', 'resume'])
    expect(await control(jobId, verb)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', message: expect.stringContaining('"ingest"') },
    })
  const reply = await control(jobId, 'cancel')
  expect(reply).toMatchObject({
    status: 200,
    body: { status: 'failed', receipt: [{ node_id: 'extract', key: 'extract', outcome: 'stopped' }] },
  })
  expect(readers()).toEqual([])
  expect(await jobWith(client, jobId)).toMatchObject({
    status: 'failed',
    failedReason: 'cancelled by user:ann',
    nodes: [{ key: 'extract', status: 'cancelled' }],
  })
  expect((await readEvents(client, jobId)).at(-1)?.data).toMatchObject({ type: 'error', code: 'CANCELLED' })
  expect((await readAsset(client, asset.id)).extraction).toEqual({
    status: 'failed',
    error: { code: 'CANCELLED', message: 'cancelled by user:ann' },
  })
  expect((await control(jobId, 'cancel')).status).toBe(400)
})

test('sending the same document while it is being read finds its job', async () => {
  const { client } = context.workspace
  const { asset, jobId } = await beingRead('twice')
  const again = await ingestFile(client, { bytes: longPdf('twice'), name: 'twice.pdf' })
  expect(again).toMatchObject({ status: 200, body: { job_id: jobId, asset: { id: asset.id } } })
  await control(jobId, 'cancel')
  const repeated = await ingestFile(client, { bytes: longPdf('twice'), name: 'twice.pdf' })
  expect(repeated).toMatchObject({ status: 200, body: { asset: { id: asset.id, version: 1 } } })
  expect(repeated.body.job_id).not.toBe(jobId)
  await control(repeated.body.job_id ?? '', 'cancel')
})

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a worker that ends with %s while it is reading is replaced, and the document is read once',
  async signal => {
    const { client } = context.workspace
    const { asset, jobId } = await beingRead(`lost by ${signal}`)
    const [waiting] = await Promise.all([
      ingest(client, { text: `comes meanwhile, ${signal}` }),
      context.stack.worker.end(signal),
    ])
    await context.stack.restartWorker()
    const job = await jobWith(client, jobId)
    expect(job).toMatchObject({ status: 'completed', result: { asset_id: asset.id, version: 1, pages: 1_000 } })
    expect(job.progress).toEqual({ done: 1_000, total: 1_000 })
    expect((await readEvents(client, jobId)).filter(({ data }) => data.type === 'complete')).toHaveLength(1)
    expect((await readAsset(client, asset.id)).extraction).toMatchObject({ status: 'ready', pages: 1_000 })
    expect((await readAsset(client, waiting.body.asset.id)).extraction.status).toBe('ready')
    const found = await context.stack.database.db.inWorkspace(context.workspace.id, tx =>
      findExtractions(tx, [asset.sha256]),
    )
    expect(found).toHaveLength(1)
  },
)
