import { Redis } from 'ioredis'
import type { InterventionView } from '../../../contract/people/intervention.ts'
import { withHeaders } from '../../support/clients/client.ts'
import { listChanges, followEvents, type StreamedEvent, typesOf } from '../../support/webhooks/events.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { answer, asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

const APPROVAL = pathway(
  [
    { id: 'review', type: 'human', kind: 'approval', title: 'Send?' },
    { id: 'end', type: 'end' },
  ],
  'review.approve > end',
  'review.reject > end',
)

interface Made {
  id: string
  slug: string
}

const createSkill = async (title: string, client = context.workspace.client, more: object = {}): Promise<string> =>
  (await client.post<Made>('/v1/skills', { title, instructions: 'Be brief.', ...more })).body.id

const isAbout =
  (id: string, type: string) =>
  (event: StreamedEvent): boolean =>
    event.type === type && [event.resource?.id, event.job?.id, event.intervention?.id].includes(id)

test('the changes to a resource arrive in order, with its id', async () => {
  const { client, brain_id } = context.workspace
  const reader = await followEvents(client)
  const id = await createSkill('Followed')
  await client.patch(`/v1/skills/${id}`, { instructions: 'Be long.' })
  await client.post('/v1/resources/move', { resource_ids: [id], path: '/moved' })
  await client.del(`/v1/skills/${id}`)
  await client.post(`/v1/resources/skills/${id}/restore`)
  const events = await reader.until(isAbout(id, 'resource.restored'))
  expect(listChanges(events, id)).toEqual([
    'resource.created',
    'resource.updated',
    'resource.moved',
    'resource.deleted',
    'resource.restored',
  ])
  expect(events.find(isAbout(id, 'resource.moved'))?.resource).toEqual({
    id,
    type: 'skills',
    slug: 'followed',
    version: 2,
    path: '/moved',
    brain_id,
  })
  await reader.until(isAbout(id, 'resource.indexed'))
  reader.close()
})

test('after resource.indexed, searches find the version', async () => {
  const { client } = context.workspace
  const reader = await followEvents(client, { types: 'resource.indexed' })
  const id = await createSkill('Pangolin care')
  await reader.until(isAbout(id, 'resource.indexed'))
  reader.close()
  expect(new Set(typesOf(reader.events))).toEqual(new Set(['position', 'resource.indexed']))
  const find = () => client.post<{ matches: { resource_id: string }[] }>('/v1/search', { query: 'pangolin' })
  await waitUntil(async () => (await find()).body.matches.some(({ resource_id }) => resource_id === id))
})

test('moving a folder creates an event for each of its resources', async () => {
  const { client } = context.workspace
  const ids = [await createSkill('One', client, { path: '/many' }), await createSkill('Two', client, { path: '/many' })]
  const reader = await followEvents(client, { types: 'resource.moved' })
  await client.post('/v1/resources/move', { resource_ids: ids, path: '/elsewhere' })
  for (const id of ids) await reader.until(isAbout(id, 'resource.moved'))
  reader.close()
})

test('a run publishes events for its start, its wait with the intervention, and its end', async () => {
  const { client, id: workspaceId } = context.workspace
  const reader = await followEvents(client, { types: 'job.*,intervention.*' })
  const jobId = await startRun(client, APPROVAL)
  const [question] = await asked(client, jobId)
  const interventionId = question?.interventionId ?? ''
  await reader.until(isAbout(jobId, 'job.waiting'))
  await answer(client, workspaceId, jobId, interventionId, { action: 'approve' })
  const events = await reader.until(isAbout(jobId, 'job.completed'))
  const ofJob = events.filter(({ job }) => job?.id === jobId)
  expect(typesOf(ofJob)[0]).toBe('job.started')
  expect(typesOf(ofJob).at(-1)).toBe('job.completed')
  expect(ofJob[0]?.job).toMatchObject({ kind: 'pathway', status: 'pending' })
  expect(typesOf(events.filter(({ intervention }) => intervention?.id === interventionId))).toEqual([
    'intervention.requested',
    'intervention.answered',
  ])
  const { body } = await client.get<InterventionView>(`/v1/interventions/${interventionId}`)
  expect(body).toMatchObject({ job_id: jobId, status: 'decided' })
  reader.close()
})

test('a key that may not read runs gets no run events', async () => {
  const { client, permittedTo } = context.workspace
  const [reader, witness] = await Promise.all([followEvents(await permittedTo('resources:read')), followEvents(client)])
  const jobId = await startRun(client, APPROVAL)
  await asked(client, jobId)
  await client.post(`/v1/jobs/${jobId}/cancel`)
  await witness.until(isAbout(jobId, 'job.cancelled'))
  const id = await createSkill('Not about runs')
  const events = await reader.until(isAbout(id, 'resource.created'))
  const others = typesOf(events).filter(type => !type.startsWith('resource.'))
  expect([...new Set(others)]).toEqual(['position'])
  reader.close()
  witness.close()
})

test('a run that is cancelled or fails publishes an event', async () => {
  const { client } = context.workspace
  const reader = await followEvents(client, { types: 'job.cancelled,job.failed' })
  const waiting = await startRun(client, APPROVAL)
  await asked(client, waiting)
  await client.post(`/v1/jobs/${waiting}/cancel`)
  await reader.until(isAbout(waiting, 'job.cancelled'))
  const failing = await startRun(
    client,
    pathway([{ id: 'fail', type: 'transform', with: { value: '${input.none.at}' } }]),
  )
  await jobWith(client, failing)
  await reader.until(isAbout(failing, 'job.failed'))
  reader.close()
})

test('a client resumes after its last event without gaps or duplicates', async () => {
  const { client } = context.workspace
  const first = await followEvents(client, { types: 'resource.created' })
  const before = await createSkill('Before')
  const seen = await first.until(isAbout(before, 'resource.created'))
  first.close()
  const missed = [await createSkill('Missed 1'), await createSkill('Missed 2')]
  const after = seen.find(isAbout(before, 'resource.created'))?.streamId ?? ''
  const second = await followEvents(client, { types: 'resource.created', after })
  const live = await createSkill('Live')
  const events = await second.until(isAbout(live, 'resource.created'))
  expect(events.map(({ type, resource }) => `${type} ${resource?.id}`)).toEqual(
    [...missed, live].map(id => `resource.created ${id}`),
  )
  second.close()
})

test('an expired position returns a gap event, followed by the retained events', async () => {
  const { client, id: workspaceId } = context.workspace
  const first = await followEvents(client, { types: 'resource.created' })
  const trimmed = await createSkill('Trimmed')
  const events = await first.until(isAbout(trimmed, 'resource.created'))
  const last = await createSkill('Kept')
  await first.until(isAbout(last, 'resource.created'))
  first.close()
  const redis = new Redis(context.stack.env.REDIS_URL ?? '')
  await redis.xtrim(`ganglion:workspace:${workspaceId}:events`, 'MAXLEN', 0)
  await redis.quit()
  const after = events.find(isAbout(trimmed, 'resource.created'))?.streamId ?? ''
  const late = await followEvents(client, { types: 'resource.created', after })
  await late.until(({ type }) => type === 'gap')
  const next = await createSkill('Next')
  await late.until(isAbout(next, 'resource.created'))
  expect(typesOf(late.events)).toEqual(['gap', 'resource.created'])
  late.close()
})

test('a position advances past events that are hidden from the client', async () => {
  const { client } = context.workspace
  const reader = await followEvents(client, { types: 'job.*' })
  await createSkill('Not for this client')
  await reader.until(event => event.type === 'position' && event !== reader.events[0])
  expect(new Set(typesOf(reader.events))).toEqual(new Set(['position']))
  reader.close()
})

test('a key receives the events of its brains and of the workspace, and a request can select one brain', async () => {
  const workspace = await context.stack.workspace({ actor: 'user:ann' })
  const { client } = workspace
  const [mine, other] = [workspace.brain_id, await workspace.newBrain()]
  const readers = await Promise.all([
    followEvents(client),
    followEvents(await workspace.boundTo(other)),
    followEvents(withHeaders(client, { 'X-Brain-Id': mine })),
  ])
  const inMine = await createSkill('Mine', client, { brain_id: mine })
  const inOther = await createSkill('Other', client, { brain_id: other })
  const ofAll = await createSkill('Of all', client, { scope: 'workspace' })
  const created = await Promise.all(
    readers.map(async reader => {
      const events = await reader.until(isAbout(ofAll, 'resource.created'))
      reader.close()
      return events.flatMap(({ type, resource }) => (type === 'resource.created' ? [resource?.id] : []))
    }),
  )
  expect(created).toEqual([
    [inMine, inOther, ofAll],
    [inOther, ofAll],
    [inMine, ofAll],
  ])
})

test('callers in another workspace get no events', async () => {
  const stranger = await context.stack.workspace({ actor: 'user:eve' })
  const reader = await followEvents(stranger.client)
  await createSkill('Secret')
  const own = (await stranger.client.post<Made>('/v1/skills', { title: 'Own', instructions: 'Mine.' })).body.id
  const events = await reader.until(isAbout(own, 'resource.created'))
  expect(events.flatMap(({ resource }) => resource?.id ?? [])).toEqual([own])
  reader.close()
})

test.each(['types=unknown', 'types=', 'after=garbage', 'limit=5'])('%s is rejected', async query => {
  await expect(context.workspace.client.sse(`/v1/events/stream?${query}`)).rejects.toThrow(/^400 VALIDATION_ERROR/)
})
