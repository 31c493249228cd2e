import { buildDeliveryWorkflowId } from '../../workflows/webhooks/delivery-messages.ts'
import type { Ledger } from '../support/shared/ledger.ts'
import { waitUntil } from '../support/stack/process.ts'
import { pdf } from '../activities/documents/fixtures/pdf.ts'
import { ingest, ingestFile } from '../support/documents/documents.ts'
import { audioBody, recording, repeated } from '../support/speech/audio.ts'
import { endMeeting, piece, plan, send, getTranscript } from '../support/speech/meetings.ts'
import { answer, asked, edges, jobWith, pathway, startRun } from '../support/runs/runs.ts'
import type { TestWorkspace } from '../support/stack/stack.ts'
import { transcribe, transcribed } from '../support/agents/transcripts.ts'
import type { FiringView } from '../../contract/triggers/firing.ts'

interface ScenarioContext {
  workspace: TestWorkspace
  ledger: Ledger
}

/** Ingests texts by file name. Returns their jobs once they have finished. */
async function ingestTexts({ client }: TestWorkspace, texts: Record<string, string>): Promise<string[]> {
  const jobIds: string[] = []
  for (const [file_name, text] of Object.entries(texts)) {
    const { body } = await ingest(client, { text, file_name })
    jobIds.push(body.job_id ?? '')
  }
  for (const jobId of jobIds) await jobWith(client, jobId)
  return jobIds
}

/** Lets a schedule fire once. Returns the firing's workflow and the job that it started. */
async function fireScheduled({ workspace: { client } }: ScenarioContext): Promise<string[]> {
  const definition = pathway([{ id: 'say', type: 'transform', with: { value: '${run.id}' } }])
  const { body: found } = await client.post<{ id: string }>('/v1/pathways', { title: 'Said', definition })
  const { body: trigger } = await client.post<{ id: string; slug: string }>('/v1/triggers', {
    title: 'Often',
    trigger_type: 'schedule',
    target: { type: 'pathway', ref: found.id },
    schedule: { interval: { every: 'PT2S' } },
  })
  const { job_id, event } = await waitUntil(async () => {
    const { body } = await client.get<{ data: FiringView[] }>(`/v1/triggers/${trigger.id}/runs`)
    return body.data[0]
  })
  await client.del(`/v1/triggers/${trigger.id}`)
  await jobWith(client, job_id ?? '')
  const time = (event as unknown as { scheduled_at: string }).scheduled_at.replace('.000Z', 'Z')
  return [`trigger-${trigger.slug}-${trigger.id}-${time}`, job_id ?? '']
}

/**
 * Scenarios whose histories are recorded. Each scenario exercises one part of the workflows and returns its job ids.
 */
export const SCENARIOS: Record<string, (context: ScenarioContext) => Promise<string[]>> = {
  'pathways/approval-and-payment': async ({ workspace, ledger }) => {
    const definition = pathway(
      [
        { id: 'draft', type: 'neuron', with: { message: 'Summarize: the sky is blue. The sea is deep.' } },
        { id: 'review', type: 'human', kind: 'approval', title: 'Send?', due: 'P2D', remind: ['P1D'], quorum: 2 },
        { id: 'send', type: 'http', with: { method: 'POST', url: `${ledger.url}/send` } },
        { id: 'no', type: 'end' },
      ],
      'draft > review',
      'review.approve > send',
      'review.reject > no',
      'review.timeout > no',
    )
    const jobId = await startRun(workspace.client, definition)
    const [question] = await asked(workspace.client, jobId)
    for (const actor of ['user:bob', 'user:eve']) {
      const reply = await answer(await workspace.as(actor), workspace.id, jobId, question?.interventionId ?? '', {
        action: 'approve',
      })
      if (reply.status !== 200) throw new Error(reply.body.message)
    }
    await jobWith(workspace.client, jobId)
    return [jobId]
  },

  'people/task-claimed-delegated-and-escalated-in-working-time': async ({ workspace }) => {
    const days = Object.fromEntries(
      ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map(day => [day, ['00:00-24:00']]),
    )
    const office = { name: 'office', time_zone: 'Europe/Berlin', hours: days }
    await (await workspace.permittedTo('access:manage')).call('PUT', '/v1/calendars', office)
    const task = { id: 'review', type: 'human', kind: 'approval', quorum: 2, calendar: 'office', due: 'P2D' }
    const definition = pathway(
      [
        { ...task, assignees: ['user:bob', 'user:eve'], escalate: [{ after: 'PT3S', to: ['user:cfo'] }] },
        { id: 'done', type: 'end' },
      ],
      'review.approve > done',
      'review.reject > done',
      'review.timeout > done',
    )
    const [bob, eve, dee] = await Promise.all(['user:bob', 'user:eve', 'user:dee'].map(name => workspace.as(name)))
    if (!bob || !eve || !dee) throw new Error('no clients')
    const jobId = await startRun(workspace.client, definition)
    const [question] = await asked(workspace.client, jobId)
    const id = question?.interventionId ?? ''
    await bob.post(`/v1/interventions/${id}/claim`)
    await bob.post(`/v1/interventions/${id}/delegate`, { to: 'user:dee' })
    await eve.post(`/v1/interventions/${id}/claim`)
    await waitUntil(async () => {
      const { body } = await workspace.client.get<{ assignees: string[] }>(`/v1/interventions/${id}`)
      return body.assignees.includes('user:cfo')
    })
    for (const person of [dee, eve]) {
      const reply = await answer(person, workspace.id, jobId, id, { action: 'approve' })
      if (reply.status !== 200) throw new Error(reply.body.message)
    }
    await jobWith(workspace.client, jobId)
    return [jobId]
  },

  // Recorded when an empty list of assignees let everyone answer.
  'people/task-with-an-empty-list-of-assignees': async ({ workspace }) => {
    const review = { id: 'review', type: 'human', kind: 'approval', assignees: ['${input.approvers}'], remind: ['P1D'] }
    const definition = pathway([review, { id: 'done', type: 'end' }], 'review.approve > done', 'review.reject > done')
    const jobId = await startRun(workspace.client, definition, { approvers: [] })
    const [question] = await asked(workspace.client, jobId)
    const id = question?.interventionId ?? ''
    await answer(await workspace.as('user:bob'), workspace.id, jobId, id, { action: 'approve' })
    await jobWith(workspace.client, jobId)
    return [jobId]
  },

  'people/tasks-for-everyone-and-for-no-one': async ({ workspace: { client, id: workspaceId, as } }) => {
    const ask = (task: object) =>
      pathway(
        [
          { id: 'review', type: 'human', kind: 'approval', ...task },
          { id: 'done', type: 'end' },
        ],
        'review.approve > done',
        'review.reject > done',
      )
    const forEveryone = await startRun(client, ask({ escalate: [{ after: 'PT1S', to: ['user:cfo'] }] }))
    const [question] = await asked(client, forEveryone)
    const id = question?.interventionId ?? ''
    await waitUntil(async () => {
      const { body } = await client.get<{ history?: object[] }>(`/v1/interventions/${id}`)
      return (body.history ?? []).length > 0
    })
    await answer(await as('user:bob'), workspaceId, forEveryone, id, { action: 'approve' })
    const forNoOne = await startRun(client, ask({ assignees: ['${input.approvers}'] }), { approvers: [] })
    for (const jobId of [forEveryone, forNoOne]) await jobWith(client, jobId)
    return [forEveryone, forNoOne]
  },

  // Recorded when the first attempt was a regular activity.
  'triggers/scheduled-firing': fireScheduled,

  'triggers/scheduled-firing-locally': fireScheduled,

  'webhooks/webhook-delivery': async ({ workspace: { client }, ledger }) => {
    const hook = { url: `${ledger.url}/hook?fail=1`, event_types: ['webhook.*'] }
    const { body: webhook } = await client.post<{ id: string }>('/v1/webhooks', hook)
    const { body: delivery } = await client.post<{ id: string }>(`/v1/webhooks/${webhook.id}/test`)
    await waitUntil(async () => {
      const { body } = await client.get<{ data: { status: string }[] }>(`/v1/webhooks/${webhook.id}/deliveries`)
      return body.data[0]?.status === 'succeeded'
    })
    return [buildDeliveryWorkflowId(delivery.id)]
  },

  'pathways/cancelled-with-compensation': async ({ workspace, ledger }) => {
    const post = (id: string, path: string, more: object = {}) => ({
      id,
      type: 'http',
      with: { method: 'POST', url: `${ledger.url}/${path}` },
      ...more,
    })
    const definition = pathway(
      [post('book', 'book', { compensate: 'unbook' }), post('slow', 'slow?hang=true'), post('unbook', 'unbook')],
      'book > slow',
    )
    const jobId = await startRun(workspace.client, definition)
    await waitUntil(() => ledger.requests.some(request => request.path === '/slow'))
    await workspace.client.post(`/v1/jobs/${jobId}/cancel`)
    return [jobId]
  },

  'pathways/map-with-retries-and-errors': async ({ workspace, ledger }) => {
    const body = {
      nodes: [
        {
          id: 'call',
          type: 'http',
          retry: { max_attempts: 2, initial: 'PT0.1S' },
          with: { url: `${ledger.url}/x?status=\${item}&fail=1` },
        },
        { id: 'bad', type: 'end', output: '${nodes.call.error.code}' },
        { id: 'good', type: 'end', output: 'ok' },
      ],
      edges: edges('call > good', 'call.error > bad'),
    }
    const definition = pathway([
      { id: 'each', type: 'map', items: [404, 503, 500], concurrency: 2, timeout: 'PT1M', body },
    ])
    const job = await jobWith(workspace.client, await startRun(workspace.client, definition))
    return [job.job_id]
  },

  'pathways/activities-with-node-keys-as-ids': async ({ workspace, ledger }) => {
    const post = (id: string, query = '', more: object = {}) => ({
      id,
      type: 'http',
      with: { method: 'POST', url: `${ledger.url}/keys-${id}?${query}` },
      retry: { max_attempts: 3, initial: 'PT0.1S' },
      ...more,
    })
    const child = pathway([post('inside')])
    await workspace.client.post('/v1/pathways', { title: 'Calls', slug: 'replay-calls', definition: child })
    const definition = pathway(
      [
        post('reserve', '', { compensate: 'release' }),
        post('release'),
        post('again', 'fail=2', { idempotent: true }),
        { id: 'each', type: 'map', items: [1, 2, 3], body: { nodes: [post('price', 'fail=1')], edges: [] } },
        { id: 'sub', type: 'pathway', ref: 'replay-calls', with: {} },
        { id: 'all', type: 'join', mode: 'all' },
        { id: 'review', type: 'human', kind: 'approval', assignees: ['user:bob', 'group:finance'] },
        post('credit', 'status=422'),
        { id: 'no', type: 'end' },
      ],
      'reserve > all',
      'again > all',
      'each > all',
      'sub > all',
      'all > review',
      'review.approve > credit',
      'review.reject > no',
    )
    const jobId = await startRun(workspace.client, { ...definition, run_title: 'Keys' })
    const [question] = await asked(workspace.client, jobId)
    const bob = await workspace.as('user:bob')
    await answer(bob, workspace.id, jobId, question?.interventionId ?? '', { action: 'approve' })
    const { nodes } = await jobWith(workspace.client, jobId)
    return [jobId, nodes.find(({ key }) => key === 'sub')?.child_job_id ?? '']
  },

  'pathways/loop-with-a-person-paused-and-resumed': async ({ workspace }) => {
    const body = {
      nodes: [
        { id: 'ask', type: 'human', kind: 'approval' },
        { id: 'yes', type: 'end', output: true },
        { id: 'no', type: 'end', output: false },
      ],
      edges: edges('ask.approve > yes', 'ask.reject > no'),
    }
    const jobId = await startRun(
      workspace.client,
      pathway([{ id: 'revise', type: 'loop', until: 'last', max: 3, body }]),
    )
    for (const action of ['reject', 'approve']) {
      const [question] = await asked(workspace.client, jobId)
      await workspace.client.post(`/v1/jobs/${jobId}/pause`)
      await answer(workspace.client, workspace.id, jobId, question?.interventionId ?? '', { action })
      await workspace.client.post(`/v1/jobs/${jobId}/resume`)
      await waitUntil(async () => {
        const [next] = (await jobWith(workspace.client, jobId, 'waiting', 'completed')).waitingFor ?? []
        return next?.interventionId !== question?.interventionId
      })
    }
    await jobWith(workspace.client, jobId)
    return [jobId]
  },

  'pathways/race-waits-and-events': async ({ workspace }) => {
    const definition = pathway(
      [
        { id: 'ask', type: 'human', kind: 'approval' },
        { id: 'sign', type: 'wait', event: 'signed', timeout: 'PT1H' },
        { id: 'first', type: 'join', mode: 'any' },
        { id: 'nap', type: 'wait', duration: 'PT0.2S' },
      ],
      'ask.approve > first',
      'ask.reject > first',
      'sign > first',
      'sign.timeout > first',
      'first > nap',
    )
    const jobId = await startRun(workspace.client, definition)
    await asked(workspace.client, jobId)
    await workspace.client.post(`/v1/jobs/${jobId}/resume`, { event: 'signed' })
    await jobWith(workspace.client, jobId)
    return [jobId]
  },

  'pathways/waits-ended-by-resume': async ({ workspace }) => {
    const definition = pathway(
      [
        { id: 'week', type: 'wait', duration: 'P7D' },
        { id: 'sign', type: 'wait', event: 'signed', timeout: 'P1D' },
        { id: 'both', type: 'join', mode: 'all' },
      ],
      'week > both',
      'sign > both',
    )
    const jobId = await startRun(workspace.client, definition)
    await jobWith(workspace.client, jobId, 'waiting')
    await workspace.client.post(`/v1/jobs/${jobId}/resume`)
    await jobWith(workspace.client, jobId)
    return [jobId]
  },

  'runs/child-run': async ({ workspace }) => {
    const child = pathway(
      [
        { id: 'ask', type: 'human', kind: 'approval' },
        { id: 'z', type: 'end', output: '${input.n + 1}' },
      ],
      'ask.approve > z',
      'ask.reject > z',
    )
    await workspace.client.post('/v1/pathways', { title: 'Child', slug: 'replay-child', definition: child })
    const parent = pathway([{ id: 'sub', type: 'pathway', ref: 'replay-child', with: { n: 1 } }])
    const jobId = await startRun(workspace.client, parent)
    const [question] = await asked(workspace.client, jobId)
    await answer(workspace.client, workspace.id, jobId, question?.interventionId ?? '', { action: 'approve' })
    await jobWith(workspace.client, jobId)
    return [jobId, question?.job_id ?? '']
  },

  'runs/child-with-a-time-limit': async ({ workspace }) => {
    const child = pathway([{ id: 'nap', type: 'wait', event: 'never' }])
    await workspace.client.post('/v1/pathways', { title: 'Waits', slug: 'replay-waits', definition: child })
    const parent = pathway(
      [
        { id: 'sub', type: 'pathway', ref: 'replay-waits', timeout: 'PT1S' },
        { id: 'ask', type: 'human', kind: 'approval', due: 'PT1S', escalate: [{ after: 'PT0.5S', to: ['user:bob'] }] },
        { id: 'late', type: 'end' },
        { id: 'z', type: 'end' },
      ],
      'sub.timeout > ask',
      'ask.approve > z',
      'ask.reject > z',
      'ask.timeout > late',
    )
    const jobId = await startRun(workspace.client, parent)
    await jobWith(workspace.client, jobId)
    return [jobId]
  },

  'documents/ingest-read-and-failed': ({ workspace }) =>
    ingestTexts(workspace, { 'kept.html': '<h1>Kept</h1><p>The harbour opens at nine.</p>', 'kept.json': '{"kept": ' }),

  'documents/ingest-cancelled': async ({ workspace }) => {
    const lines = Array.from({ length: 40 }, (_, i) => `Some words of line ${i}`)
    const file = { bytes: pdf({ pages: Array.from({ length: 2_000 }, () => lines) }), name: 'long.pdf' }
    const { body } = await ingestFile(workspace.client, file)
    const jobId = body.job_id ?? ''
    await waitUntil(async () => ((await jobWith(workspace.client, jobId, 'running')).progress?.done ?? 0) > 0)
    await workspace.client.post(`/v1/jobs/${jobId}/cancel`)
    return [jobId]
  },

  'speech/transcribed-and-damaged': async ({ workspace }) => {
    const damaged = Buffer.concat([recording('flac').subarray(0, 60), Buffer.alloc(50_000, 7)])
    const sent = [
      await transcribed(workspace.client, audioBody('ogg', await repeated('ogg', 7))),
      await transcribed(workspace.client, audioBody('flac', damaged)),
    ]
    return sent.map(({ job_id }) => job_id)
  },

  'speech/transcription-cancelled': async ({ workspace }) => {
    const { body } = await transcribe(workspace.client, audioBody('ogg', await repeated('ogg', 14)))
    await workspace.client.post(`/v1/jobs/${body.job_id}/cancel`)
    return [body.job_id]
  },

  'speech/transcribe-node': async ({ workspace }) => {
    const { body } = await ingestFile(workspace.client, { bytes: recording('mp3'), name: 'kept.mp3' })
    await jobWith(workspace.client, body.job_id ?? '')
    const listen = { id: 'listen', type: 'transcribe', with: { asset: body.asset.id } }
    const jobId = await startRun(workspace.client, pathway([listen]))
    await jobWith(workspace.client, jobId)
    return [jobId]
  },

  'speech/meeting-from-begin-to-end': async ({ workspace }) => {
    const { id } = await plan(workspace.client)
    const { body } = await send(workspace.client, id, piece(0, { speaker: 'Ann' }))
    await send(workspace.client, id, piece(2))
    await waitUntil(async () => (await getTranscript(workspace.client, id)).segments.length === 2)
    await send(workspace.client, id, {
      ...piece(1),
      audio_base64: Buffer.from('fLaCnothing').toString('base64'),
      mime_type: 'audio/flac',
    })
    await endMeeting(workspace.client, id)
    await jobWith(workspace.client, body.job_id)
    return [body.job_id]
  },

  'audit/purge-of-a-document': async ({ workspace: { client } }) => {
    const { body } = await ingest(client, { text: 'Not for long.' })
    await jobWith(client, body.job_id ?? '')
    const purge = await client.del<{ job_id: string }>(`/v1/resources/assets/${body.asset.id}?purge=true`)
    await jobWith(client, purge.body.job_id)
    return [purge.body.job_id]
  },

  'runs/bulk-pause-stopped': async ({ workspace: { client } }) => {
    const wait = { ...pathway([{ id: 'wait', type: 'wait', event: 'go', timeout: 'PT1H' }]), run_title: 'One of many' }
    for (let i = 0; i < 3; i++) await jobWith(client, await startRun(client, wait), 'waiting')
    const bulk = async (per_second: number) =>
      (
        await client.post<{ job_id: string }>('/v1/jobs/bulk', {
          operation: 'pause',
          filter: { title: 'One of many' },
          per_second,
        })
      ).body.job_id
    const stopped = await bulk(1)
    await waitUntil(async () => ((await jobWith(client, stopped, 'pending', 'running')).bulk?.done ?? 0) > 0)
    await client.post(`/v1/jobs/${stopped}/cancel`)
    const ended = await bulk(50)
    await jobWith(client, ended)
    return [stopped, ended]
  },

  'runs/moved-back-and-again-to-another-version': async ({ workspace: { client, id } }) => {
    const define = (output: string) =>
      pathway(
        [
          { id: 'review', type: 'human', kind: 'approval' },
          { id: 'z', type: 'end', output },
        ],
        'review.approve > z',
        'review.reject > z',
      )
    const { body: made } = await client.post<{ id: string }>('/v1/pathways', {
      title: 'Moved',
      definition: define('1'),
    })
    await client.patch(`/v1/pathways/${made.id}`, { definition: define('2') })
    const { body: run } = await client.post<{ job_id: string }>('/v1/jobs', { pathway_id: `${made.id}@1` })
    const [question] = await asked(client, run.job_id)
    const filter = { job_ids: [run.job_id] }
    const move = { pathway: made.id, from_version: 1, to_version: 2, filter }
    await client.post('/v1/jobs/migrate', move)
    await client.post(`/v1/jobs/${run.job_id}/migration/undo`, {})
    await client.post('/v1/jobs/migrate', move)
    await answer(client, id, run.job_id, question?.interventionId ?? '', { action: 'approve' })
    await jobWith(client, run.job_id, 'completed')
    return [run.job_id]
  },
}
