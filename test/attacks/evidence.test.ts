import { type EvidenceFile, type EvidenceKey, verifyEvidence } from '@ganglion/client/evidence'
import type { ApiClient } from '../support/clients/client.ts'
import { answer, asked, jobWith, pathway } from '../support/runs/runs.ts'
import { useStack } from '../support/stack/use-stack.ts'

/** People who made a decision, or may not decide, try to remove the evidence. */

const context = useStack()
const GROUP = 'group:finance'

let bob: ApiClient
let keys: EvidenceKey[]

beforeAll(async () => {
  const { client, as } = context.workspace
  bob = await as('user:bob', [GROUP])
  keys = (await client.get<{ data: EvidenceKey[] }>('/v1/evidence-keys')).body.data
  const definition = pathway(
    [
      {
        id: 'ask',
        type: 'human',
        kind: 'approval',
        title: 'Pay ${input.message}?',
        assignees: [GROUP],
        exclude_requester: true,
      },
      { id: 'paid', type: 'end', output: 'paid' },
      { id: 'unpaid', type: 'end', output: 'unpaid' },
    ],
    'ask.approve > paid',
    'ask.reject > unpaid',
  )
  const input = { type: 'object', properties: { message: { type: 'string' } } }
  await client.post('/v1/pathways', { title: 'Pay', slug: 'pay', definition: { ...definition, input } })
})

interface Started {
  job_id: string
  trace_id: string
}

/** Returns a run that Bob approved, with a comment. */
async function approved(path: string, body: object): Promise<Started & { id: string }> {
  const { client, id: workspaceId } = context.workspace
  const started = await client.post<Started>(path, body)
  const [question] = await asked(client, started.body.job_id)
  const id = question?.interventionId ?? ''
  const sent = await answer(bob, workspaceId, started.body.job_id, id, { action: 'approve', comment: 'secret reason' })
  expect(sent.status).toBe(200)
  await jobWith(client, started.body.job_id)
  return { ...started.body, id }
}

const read = async (id: string) => {
  const { status, body } = await context.workspace.client.get<EvidenceFile & { document: { purged_by?: string } }>(
    `/v1/interventions/${id}/evidence`,
  )
  expect(status).toBe(200)
  return body
}

test.each<
  [
    string,
    (who: () => ApiClient, started: Started) => Promise<{ job_id: string }>,
    () => Promise<Started & { id: string }>,
  ]
>([
  [
    'the run',
    async (who, { job_id }) => (await who().del<{ job_id: string }>(`/v1/jobs/${job_id}`)).body,
    () => approved('/v1/pathways/pay/execute', { input: { message: '10 EUR' } }),
  ],
  [
    'the thread',
    async (who, { trace_id }) => (await who().del<{ job_id: string }>(`/v1/traces/${trace_id}`)).body,
    () => approved('/v1/chat/new', { message: '10 EUR', pathway: 'pay' }),
  ],
])('when the person who decided removes %s, the signed vote remains without its texts', async (_, remove, start) => {
  const started = await start()
  const before = await read(started.id)
  expect(before.texts?.map(({ name }) => name).sort()).toEqual(['comment', 'covered_values', 'title'])
  expect(await verifyEvidence(before, keys)).toMatchObject({ verified: true, votes: 1 })

  const { job_id } = await remove(() => bob, started)
  await jobWith(context.workspace.client, job_id)
  const after = await read(started.id)
  expect(after).toMatchObject({
    shown: null,
    texts: [],
    document: {
      purged_at: expect.any(String) as string,
      purged_by: 'user:bob',
      decision: { by: 'user:bob', action: 'approve' },
      intervention: { excluded: ['user:ann'], shown_hash: before.document.intervention.shown_hash },
      mismatches: [],
    },
  })
  expect(after.document.votes).toEqual(before.document.votes)
  expect(JSON.stringify(after)).not.toMatch(/10 EUR|secret reason/)
  expect(await verifyEvidence(after, keys)).toMatchObject({ verified: true, votes: 1, withheld_texts: 3 })
  // The remaining evidence still verifies a text that was kept elsewhere.
  expect(await verifyEvidence({ ...after, texts: before.texts, shown: before.shown }, keys)).toMatchObject({
    verified: true,
    withheld_texts: 0,
  })
})

test('evidence for a removed run is only visible to audit log readers in its workspace', async () => {
  const { client, permittedTo } = context.workspace
  const { id, job_id } = await approved('/v1/pathways/pay/execute', { input: { message: '20 EUR' } })
  const viewer = await permittedTo('interventions:read')
  const auditor = await permittedTo('interventions:read', 'activity:read')
  const path = `/v1/interventions/${id}/evidence`
  expect((await viewer.get(path)).status).toBe(200)
  const { body } = await client.del<{ job_id: string }>(`/v1/jobs/${job_id}`)
  await jobWith(client, body.job_id)
  expect(await viewer.get(path)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  expect((await auditor.get(path)).status).toBe(200)
  const stranger = await context.stack.workspace({ actor: 'user:ann' })
  expect((await stranger.client.get(path)).status).toBe(404)
  expect((await client.get('/v1/interventions/unknown/evidence')).status).toBe(404)
})
