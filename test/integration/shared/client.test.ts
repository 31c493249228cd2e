import { Ganglion, NotFoundError, RunFailedError, ValidationError } from '@ganglion/client'
import type { WorkspaceEvent } from '@ganglion/client'
import { waitUntil } from '../../support/stack/process.ts'
import { pathway } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

const createGanglion = () => new Ganglion({ baseUrl: `${context.stack.baseUrl}/`, apiKey: context.workspace.api_key })

const APPROVAL = pathway(
  [
    { id: 'review', type: 'human', kind: 'approval', title: 'Pay?' },
    { id: 'paid', type: 'end', output: { paid: true } },
    { id: 'unpaid', type: 'end', output: { paid: false } },
  ],
  'review.approve > paid',
  'review.reject > unpaid',
)

async function createPathway(title: string, definition: object): Promise<string> {
  const { slug } = await createGanglion().pathways.create({ title, definition } as never)
  return slug
}

test('a run can be started, followed, answered and read to its result through its handle', async () => {
  const ganglion = createGanglion()
  const slug = await createPathway('Client approval', APPROVAL)
  const run = await ganglion.pathways.run(slug, { input: { amount: 7 }, idempotencyKey: 'client-1' })
  expect((await ganglion.pathways.run(slug, { input: { amount: 7 }, idempotencyKey: 'client-1' })).jobId).toBe(
    run.jobId,
  )
  const seen: string[] = []
  const stream = run.stream()
  for await (const event of stream) {
    seen.push(event.type)
    if (event.type !== 'intervention' || event.change !== 'opened') continue
    const [question] = await run.questions()
    expect(question).toMatchObject({ interventionId: event.interventionId, title: 'Pay?' })
    const wrong = run.answer(event.interventionId, { action: 'submit_input', data: {} })
    await expect(wrong).rejects.toThrow(ValidationError)
    const listed = await ganglion.inbox.list({ job_id: run.jobId }).toArray()
    expect(listed.map(({ interventionId }) => interventionId)).toEqual([event.interventionId])
    expect(await run.answer(question!, { action: 'approve', comment: 'fine' })).toMatchObject({ decided: true })
  }
  expect(seen.at(-1)).toBe('complete')
  expect(await run.result()).toEqual({ paid: true })
  // Another process continues after the last event that was read.
  const rest = ganglion.jobs.run(run.jobId).stream({ after: stream.lastEventId })
  expect(await Array.fromAsync(rest)).toEqual([])
})

test('a run can be paused, resumed and cancelled through its handle, and result() then throws RunFailedError', async () => {
  const ganglion = createGanglion()
  const run = await ganglion.pathways.run(await createPathway('Client cancel', APPROVAL))
  expect(await run.pause()).toMatchObject({ status: 'paused' })
  await run.resume()
  await run.cancel()
  const failure = await run.result().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(RunFailedError)
  expect(failure).toMatchObject({ jobId: run.jobId, code: 'CANCELLED' })
  await expect(ganglion.jobs.get('no-such-job')).rejects.toThrow(NotFoundError)
})

test('a run can be diagnosed, forked, retried, moved and paused in bulk, and its decision can be verified and reopened', async () => {
  const ganglion = createGanglion()
  const slug = await createPathway('Client operations', APPROVAL)
  const run = await ganglion.pathways.run(slug)
  const [question] = await waitUntil(async () => {
    const open = await run.questions()
    return open.length > 0 && open
  })
  const id = question!.interventionId
  await waitUntil(async () => (await ganglion.jobs.diagnosis(run.jobId)).cause === 'waits_for_people')
  expect(await ganglion.jobs.causes({ pathway_id: slug })).toMatchObject({ by_cause: { waits_for_people: 1 } })
  await ganglion.pathways.update(slug, { definition: { ...APPROVAL, run_title: 'Another title' } })
  const move = { pathway: slug, from_version: 1, to_version: 2, filter: { job_ids: [run.jobId] } }
  expect(await ganglion.jobs.migrate(move)).toMatchObject({ counts: { moved: 1 } })
  expect(await ganglion.jobs.undoMigration(run.jobId)).toMatchObject({ to_version: 1 })
  const bulk = await ganglion.jobs.bulk({ operation: 'pause', filter: { pathway_id: slug, status: ['waiting'] } })
  if (!('status' in bulk)) throw new Error('a dry run was not asked for')
  expect(await ganglion.jobs.run(bulk.job_id).result()).toMatchObject({ done: 1 })
  // The bulk job asks the run to pause without waiting for it.
  await waitUntil(async () => (await ganglion.jobs.get(run.jobId)).status === 'paused')
  await run.resume()
  await ganglion.inbox.claim(id)
  await ganglion.inbox.comment(id, 'asking Acme')
  await ganglion.inbox.release(id)
  await run.answer(id, { action: 'reject' })
  expect(await run.result()).toEqual({ paid: false })
  expect(await ganglion.inbox.evidence(id)).toMatchObject({ document: { decision: { action: 'reject' } } })
  const reopened = await ganglion.inbox.reopen(id, { reason: 'new facts' })
  await ganglion.jobs.run(reopened.job_id).cancel()
  expect(await ganglion.jobs.retry(reopened.job_id, { dry_run: true })).toMatchObject({ counts: { runs: 3 } })
  const forked = await ganglion.jobs.fork(run.jobId, { from_node: 'unpaid' })
  expect(await ganglion.jobs.run(forked.job_id).result()).toEqual({ paid: false })
})

test('lists are read across all pages, and workspace events until the reader stops', async () => {
  const ganglion = createGanglion()
  const controller = new AbortController()
  const events: WorkspaceEvent[] = []
  const stream = ganglion.events.stream({ types: ['resource.*'] }, { signal: controller.signal })
  let made: Promise<unknown> | undefined
  const create = async () => {
    for (const i of [0, 1, 2]) await ganglion.skills.create({ title: `Client skill ${i}`, instructions: 'Be brief.' })
  }
  const reading = (async () => {
    for await (const event of stream) {
      events.push(event)
      if (event.type === 'position' && !made) made = create()
      if (event.type === 'resource.created' && event.resource.slug === 'client-skill-2') break
    }
  })()
  await reading
  await made
  expect(stream.lastEventId).toMatch(/^\d+-\d+$/)
  const slugs = (await ganglion.skills.list({ limit: 1 }).toArray()).map(({ slug }) => slug)
  expect(slugs).toEqual(expect.arrayContaining(['client-skill-0', 'client-skill-1', 'client-skill-2']))
  expect(new Set(slugs).size).toBe(slugs.length)
})

test('a document can be ingested as JSON and as a form, and downloaded', async () => {
  const ganglion = createGanglion()
  const form = new FormData()
  form.set('file', new Blob(['hello form'], { type: 'text/plain' }), 'form.txt')
  const ingested = await ganglion.assets.ingest(form)
  if (!('asset' in ingested)) throw new Error('one document has one asset')
  const response = await ganglion.assets.content(ingested.asset.id)
  expect(await response.text()).toBe('hello form')
  expect(await ganglion.assets.ingest({ text: 'hello json', title: 'Json' })).toMatchObject({
    asset: { title: 'Json' },
  })
})
