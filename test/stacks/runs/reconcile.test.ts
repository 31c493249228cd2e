import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { readConfig } from '../../../config/config.ts'
import { execute, select } from '../../../data/shared/statements.ts'
import { jsonb, text } from '../../../data/shared/table.ts'
import type { ChannelMessageView } from '../../../contract/channels/channel-message.ts'
import type { TriggerView } from '../../../contract/triggers/trigger.ts'
import type { Difference, EffectInDoubt, ReconcileReport } from '../../../services/runs/reconcile/report.ts'
import { createPayloadCodec } from '../../../services/shared/encryption/payload-codec.ts'
import { createDataConverter } from '../../../services/shared/encryption/payloads.ts'
import { openTemporal, type Temporal } from '../../../services/shared/temporal.ts'
import { buildTriggerScheduleId } from '../../../services/triggers/schedules/options.ts'
import { buildMailboxWorkflowId, MAILBOX_WORKFLOW } from '../../../workflows/channels/messages.ts'
import { buildDeliveryWorkflowId } from '../../../workflows/webhooks/delivery-messages.ts'
import { startTeamsServer } from '../../support/channels/teams-server.ts'
import { asked, askThenEnd, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { startStack } from '../../support/stack/stack.ts'
import { openContext } from '../../support/stack/use-stack.ts'
import { startWebhookEndpoint } from '../../support/webhooks/webhook-endpoint.ts'

const ADMIN = join(import.meta.dirname, '../../../api/admin.ts')
const KEY = Buffer.alloc(32, 7).toString('base64')

/** Payloads are encrypted, because the command must decode them. */
const context = openContext(() =>
  startStack({ env: { TEMPORAL_ENCRYPTION_KEYS: JSON.stringify({ a: KEY }), TEMPORAL_ENCRYPTION_KEY_ID: 'a' } }),
)
let temporal: Temporal

beforeAll(() => {
  const { database, env } = context.stack
  const config = readConfig(env)
  temporal = openTemporal(config, {
    dataConverter: createDataConverter(database.db, config, createPayloadCodec(config)),
  })
})
afterAll(() => temporal?.close())

async function reconcile(...args: string[]): Promise<{ code: number; report: ReconcileReport }> {
  const env = { PATH: process.env.PATH, ...context.stack.env }
  const [code, stdout, stderr] = await new Promise<[number, string, string]>(resolve => {
    execFile(process.execPath, [ADMIN, 'reconcile', '--json', ...args], { env }, (error, output, errors) =>
      resolve([error ? Number(error.code) : 0, output, errors]),
    )
  })
  if (!stdout) throw new Error(stderr)
  return { code, report: JSON.parse(stdout) as ReconcileReport }
}

/** Waits until the report contains a difference about an object. Temporal lists runs with a delay. */
const difference = (id: string, kind: Difference['kind']): Promise<Difference> =>
  waitUntil(
    async () => (await reconcile()).report.differences.find(entry => entry.id === id && entry.kind === kind),
    undefined,
    async () => `no ${kind} for ${id}: ${JSON.stringify((await reconcile()).report)}`,
  )

const repaired = async (id: string, ...args: string[]): Promise<Difference | undefined> =>
  (await reconcile('--apply', ...args)).report.differences.find(entry => entry.id === id)

const change = (statement: string, ...parameters: unknown[]) =>
  context.stack.database.db.inWorkspace(context.workspace.id, tx => execute(tx, statement, parameters))

const listAudit = (target: string) =>
  context.stack.database.db.inWorkspace(context.workspace.id, tx =>
    select(
      tx,
      { actor: text(), details: jsonb() },
      `select actor, details from audit_log
      where target = $1 and action like '%.reconcile'`,
      [target],
    ),
  )

const hold = () => pathway([{ id: 'hold', type: 'wait', event: 'go' }])
const isOpen = async (id: string) => (await temporal.handle(id).describe()).status.name === 'RUNNING'
const deleteRun = (workflowId: string) =>
  temporal.call(({ workflowService, options: { namespace } }) =>
    workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } }),
  )

test('the databases of an undamaged installation agree', async () => {
  const { client } = context.workspace
  const jobId = await startRun(client, askThenEnd())
  await asked(client, jobId)
  const { code, report } = await reconcile()
  expect({ code, differences: report.differences }).toEqual({ code: 0, differences: [] })
  expect(report.runs.agreeing).toBeGreaterThan(0)
  expect(report.effects_in_doubt).toEqual([])
  expect(Date.parse(report.latest_entry ?? '')).toBeGreaterThan(0)
})

test("a workflow that isn't a run, such as a mailbox, needs no job", async () => {
  const workflowId = buildMailboxWorkflowId(crypto.randomUUID())
  const { taskQueue } = temporal
  const options = { workflowId, taskQueue, startDelay: '1h', args: [{}] } as const
  await temporal.call(({ workflow }) => workflow.start(MAILBOX_WORKFLOW, options))
  const list = () =>
    temporal.call(({ workflow }) => Array.fromAsync(workflow.list({ query: `WorkflowId = '${workflowId}'` })))
  await waitUntil(async () => (await list()).length > 0)
  expect((await reconcile()).report.differences).toEqual([])
  await temporal.handle(workflowId).terminate()
})

test('an open job whose run is gone fails with RECORD_GONE', async () => {
  const { client } = context.workspace
  const jobId = await startRun(client, hold())
  await jobWith(client, jobId, 'waiting')
  await deleteRun(jobId)
  await change(`update jobs set created_at = now() - interval '1 hour' where job_id = $1`, jobId)
  await waitUntil(async () => !(await isOpen(jobId).catch(() => false)))
  expect(await difference(jobId, 'no_run')).toMatchObject({ detail: 'RECORD_GONE', repair: 'none' })
  expect(await repaired(jobId)).toMatchObject({ repair: 'done' })
  expect(await jobWith(client, jobId)).toMatchObject({
    status: 'failed',
    failedReason: 'Temporal no longer has the outcome',
  })
  expect(await listAudit(jobId)).toEqual([{ actor: 'operator', details: { difference: 'no_run' } }])
})

test('an open job whose run has ended gets the outcome', async () => {
  const { client } = context.workspace
  const jobId = await startRun(client, hold())
  await jobWith(client, jobId, 'waiting')
  await temporal.handle(jobId).terminate('a test')
  expect(await difference(jobId, 'run_ended')).toMatchObject({ detail: 'terminated' })
  expect(await repaired(jobId)).toMatchObject({ repair: 'done' })
  expect(await jobWith(client, jobId)).toMatchObject({
    status: 'failed',
    failedReason: expect.stringContaining('a test'),
  })
})

test.each([
  ['no_job', 'delete from jobs where job_id = $1'],
  ['job_ended', `update jobs set status = 'completed', finished_at = now(), processed_at = now() where job_id = $1`],
  ['wait_not_recorded', `update jobs set status = 'running' where job_id = $1`],
] as const)('an open run with %s is terminated only on request', async (kind, statement) => {
  const jobId = await startRun(context.workspace.client, hold())
  await jobWith(context.workspace.client, jobId, 'waiting')
  await change(statement, jobId)
  await difference(jobId, kind)
  expect(await repaired(jobId)).toMatchObject({ kind, repair: 'none' })
  expect(await isOpen(jobId)).toBe(true)
  expect(await repaired(jobId, '--terminate')).toMatchObject({ kind, repair: 'done' })
  expect(await isOpen(jobId)).toBe(false)
  expect(await listAudit(jobId)).toEqual([{ actor: 'operator', details: { difference: kind } }])
})

test('a call without a recorded outcome is in doubt, with the key that it sends again', async () => {
  const { client } = context.workspace
  const nodes = [
    { id: 'pay', type: 'http', with: { method: 'POST', url: `${context.ledger.url}/pay?hang=true`, json: {} } },
    { id: 'look', type: 'http', with: { url: `${context.ledger.url}/look?hang=true` } },
    { id: 'tell', type: 'http', with: { method: 'POST', url: `${context.ledger.url}/tell`, json: {} } },
  ]
  const jobId = await startRun(client, pathway(nodes, 'pay > tell'))
  await waitUntil(() => ['/pay', '/look'].every(path => context.ledger.requests.some(request => request.path === path)))
  const ofRun = ({ effects_in_doubt: effects }: ReconcileReport) => effects.filter(({ job_id }) => job_id === jobId)
  const pay: Partial<EffectInDoubt> = {
    key: 'pay',
    type: 'http',
    target: `POST ${context.ledger.url}/pay`,
    idempotency_key: `${jobId}:pay`,
    reason: 'in_progress',
    sent_again: 'yes',
  }
  expect(ofRun((await reconcile()).report)).toEqual([expect.objectContaining(pay)])
  // If data was lost, later calls may have been sent as well.
  const { report } = await reconcile('--lost-since', new Date().toISOString())
  expect(ofRun(report)).toEqual([
    expect.objectContaining(pay),
    expect.objectContaining({ key: 'tell', reason: 'in_lost_period', sent_again: 'possibly' }),
  ])
  await client.post(`/v1/jobs/${jobId}/cancel`)
})

test('a webhook delivery whose workflow is gone is started again', async () => {
  const { client } = context.workspace
  const endpoint = await startWebhookEndpoint()
  endpoint.reply('/hook', ...Array.from({ length: 3 }, () => ({ status: 500 })))
  const webhook = await client.post<{ id: string }>('/v1/webhooks', {
    url: `${endpoint.url}/hook`,
    event_types: ['resource.created'],
  })
  await client.post('/v1/skills', { title: 'Told', instructions: 'Once.' })
  await endpoint.until('/hook', 1)
  const path = `/v1/webhooks/${webhook.body.id}/deliveries`
  const id = await waitUntil(async () => {
    const { body } = await client.get<{ data: { id: string; attempts: number }[] }>(path)
    return body.data.find(({ attempts }) => attempts > 0)?.id
  })
  await temporal.handle(buildDeliveryWorkflowId(id)).terminate('a test')
  await difference(id, 'delivery_stopped')
  expect(await repaired(id)).toMatchObject({ repair: 'done' })
  expect(await listAudit(webhook.body.id)).toEqual([{ actor: 'operator', details: { difference: 'delivery_stopped' } }])
  await waitUntil(() => isOpen(buildDeliveryWorkflowId(id)).catch(() => false))
  await client.del(`/v1/webhooks/${webhook.body.id}`)
  await endpoint.close()
})

test('a message in a channel whose workflow is gone is sent again', async () => {
  const { client, permittedTo } = context.workspace
  const teams = await startTeamsServer()
  const manager = await permittedTo('access:manage', 'interventions:read')
  await context.workspace.as('user:tess', ['group:finance'])
  const channel = { name: 'team', type: 'teams', webhook_url: teams.url }
  await manager.call('PUT', '/v1/channels', channel)
  await manager.call('PUT', '/v1/notification-rules', { subject: 'group:finance', channel: 'team' })
  const jobId = await startRun(client, askThenEnd('done', { title: 'Go?', assignees: ['group:finance'] }))
  const [task] = await asked(client, jobId)
  const findMessage = async () => {
    const { body } = await manager.get<{ data: ChannelMessageView[] }>('/v1/channels/team/messages')
    return body.data.find(({ intervention_id }) => intervention_id === task?.interventionId)
  }
  const { id } = await waitUntil(async () => {
    const message = await findMessage()
    return message?.status === 'sent' && message
  })
  const sent = teams.messages.length
  await change(
    `update channel_messages set status = 'pending', attempts = 1, start_due_at = null, content_hash = null where id = $1`,
    id,
  )
  await difference(id, 'message_stopped')
  const repair = await repaired(id)
  expect(repair).toMatchObject({ repair: 'done' })
  expect(await listAudit(repair?.detail ?? '')).toEqual([
    { actor: 'operator', details: { difference: 'message_stopped' } },
  ])
  await waitUntil(async () => (await findMessage())?.status === 'sent')
  expect(teams.messages).toHaveLength(sent + 1)
  await client.post(`/v1/jobs/${jobId}/cancel`)
  await teams.close()
})

test('a missing schedule is written again', async () => {
  const { client } = context.workspace
  const { body: target } = await client.post<{ id: string }>('/v1/pathways', { title: 'Empty', definition: hold() })
  const { body: trigger } = await client.post<TriggerView>('/v1/triggers', {
    title: 'Daily',
    trigger_type: 'schedule',
    schedule: { interval: { every: 'P1D' } },
    target: { type: 'pathway', ref: target.id },
  })
  const schedule = temporal.client.schedule.getHandle(buildTriggerScheduleId(temporal, trigger.id))
  const exists = () =>
    schedule.describe().then(
      () => true,
      () => false,
    )
  await waitUntil(exists)
  await schedule.delete()
  await difference(trigger.id, 'schedule_differs')
  expect(await repaired(trigger.id)).toMatchObject({ repair: 'done' })
  await waitUntil(exists)
})

test.each(['yesterday', '2026-11-28T14:05:00'])(
  'the time %s, which has no time zone, is rejected with an example',
  async time => {
    await expect(reconcile('--lost-since', time)).rejects.toThrow('Enter a time such as 2026-01-31T14:05:00Z')
  },
)
