import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { verifyEvidence } from '@ganglion/client/evidence'
import type { Permission } from '../../domain/access/permissions.ts'
import { CHECKOUT } from '../../dev/machine/folders.ts'
import { nextFree } from '../../dev/machine/ports.ts'
import type { FiringView } from '../../contract/triggers/firing.ts'
import type { ShareTokenView } from '../../contract/access/share-token.ts'
import type { DeliveryView } from '../../contract/webhooks/delivery.ts'
import type { Evidence, EvidenceKey } from '../../contract/people/evidence.ts'
import type { InterventionView } from '../../contract/people/intervention.ts'
import type { JobDetail, JobPage } from '../../contract/runs/job.ts'
import { createCli } from '../support/clients/cli.ts'
import type { ApiClient } from '../support/clients/client.ts'
import { useStack } from '../support/stack/use-stack.ts'

/** Runs the script of each example in a new workspace, then reads the outcome through the API. */

const context = useStack()
const cli = createCli()
afterAll(() => cli.remove())

/** The people whose keys the script gets as `KEY_<NAME>`. */
type People = Record<string, { groups?: string[]; permissions?: Permission[] }>

function testExample(name: string, people: People, check: (client: ApiClient) => Promise<void>): void {
  test(`examples/${name}`, async () => {
    const workspace = await context.stack.workspace({ actor: 'user:demo' })
    // `npm run admin -- workspace create` installs this reflex.
    await workspace.client.post('/v1/reflexes', { title: 'Built-in tools', slug: 'builtin', source: 'builtin' })
    const env: Record<string, string> = {
      ...cli.env,
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      GANGLION_URL: context.stack.baseUrl,
      GANGLION_API_KEY: workspace.api_key,
      EXAMPLE_PORT: String(await nextFree()),
    }
    for (const [person, fields] of Object.entries(people))
      env[`KEY_${person.toUpperCase()}`] = await workspace.newKey({ actor: `user:${person}`, ...fields })
    const { code, printed } = await runScript(join(CHECKOUT, 'examples', name, 'run.sh'), env)
    if (code !== 0) throw new Error(`examples/${name}/run.sh ended with ${code}:\n${printed}`)
    await check(workspace.client)
  })
}

function runScript(file: string, env: Record<string, string>): Promise<{ code: number | null; printed: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', [file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
    child.on('error', reject)
    child.on('close', code => resolve({ code, printed }))
  })
}

/** Reads the runs of a workflow, oldest first. */
async function readRuns(client: ApiClient, pathway: string): Promise<JobDetail[]> {
  const { jobs } = (await client.get<JobPage>(`/v1/jobs?pathway_id=${pathway}`)).body
  const details = await Promise.all(jobs.map(({ job_id }) => client.get<JobDetail>(`/v1/jobs/${job_id}`)))
  return details.map(({ body }) => body).toReversed()
}

async function readTasks(client: ApiClient): Promise<InterventionView[]> {
  const { data } = (await client.get<{ data: InterventionView[] }>('/v1/interventions')).body
  const tasks = await Promise.all(
    data.map(({ interventionId }) => client.get<InterventionView>(`/v1/interventions/${interventionId}`)),
  )
  return tasks.map(({ body }) => body)
}

testExample('invoice-approval', {}, async client => {
  const runs = await readRuns(client, 'pay-invoice')
  expect(runs.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
  const results = runs.map(({ result }) => result as { payment: string; approved_by: string; invoice: object })
  expect(results).toMatchObject([
    { approved_by: 'limit', invoice: { vendor: 'North Star Paper Ltd', total: 338.25, due_date: '2026-04-01' } },
    { approved_by: 'user:demo', invoice: { invoice_number: 'AV-4471', total: 8568, currency: 'EUR' } },
    { approved_by: 'user:demo', invoice: { invoice_number: 'AV-4471', total: 8568, currency: 'EUR' } },
  ])
  const [small, large, repeated] = results.map(({ payment }) => payment)
  expect(repeated).toBe(large)
  expect(small).not.toBe(large)
})

testExample(
  'supplier-onboarding',
  {
    admin: { permissions: ['access:manage', 'interventions:read'] },
    ann: {},
    bob: {},
    carol: { groups: ['group:management'] },
  },
  async client => {
    const [run] = await readRuns(client, 'onboard-supplier')
    expect(run).toMatchObject({
      status: 'completed',
      result: { outcome: 'accepted', supplier: 'S-1001', entered_by: 'user:bob', approved_by: 'user:carol' },
    })
    const tasks = new Map((await readTasks(client)).map(task => [task.node_id, task]))
    expect(tasks.get('details')).toMatchObject({
      delegations: [{ from: 'user:ann', to: 'user:bob' }],
      decision: { data: { country: 'GB', vat_number: 'GB123456789' } },
    })
    expect(tasks.get('review')).toMatchObject({
      assignees: ['group:compliance', 'group:management'],
      decision: { by: 'user:carol', data: { payment_terms: '30 days' } },
      history: [{ change: 'escalated' }],
    })
    const { data } = (await client.get<{ data: object[] }>('/v1/calendars')).body
    expect(data).toMatchObject([{ name: 'office', time_zone: 'Europe/Berlin' }])
  },
)

testExample('support-desk', { sam: { groups: ['group:support'] } }, async client => {
  const [answered, handedOver] = await readRuns(client, 'support-desk')
  expect(answered).toMatchObject({ status: 'completed', result: { from: 'agent' } })
  expect(answered?.result).toHaveProperty('text', expect.stringContaining('arrives on 4 December'))
  expect(handedOver).toMatchObject({
    status: 'completed',
    result: { from: 'user:sam', text: 'Hello, this is Sam. What can I do for you?' },
  })
  const questions = (await readTasks(client)).filter(({ node_id }) => node_id === 'number')
  expect(questions).toMatchObject([{ decision: { answers: { order: 'A-1042' } } }])
  const { data } = (await client.get<{ data: ShareTokenView[] }>('/v1/share-tokens')).body
  expect(data).toMatchObject([{ name: 'website', uses: 2, revoked_at: expect.any(String) as string }])
  expect(questions[0]?.decision?.by).toBe(`share:${data[0]?.id}`)
})

testExample('web-chat', {}, async client => {
  const runs = await readRuns(client, 'museum-desk')
  expect(runs).toMatchObject([{ status: 'completed', result: { text: expect.stringContaining('ten') as string } }])
  const { data } = (await client.get<{ data: ShareTokenView[] }>('/v1/share-tokens')).body
  const allowed_origins = [expect.stringContaining('http://127.0.0.1:') as string]
  expect(data).toMatchObject([{ uses: 1, allowed_origins, revoked_at: expect.any(String) as string }])
})

testExample(
  'contract-review',
  { bob: { groups: ['group:legal'] }, carol: { groups: ['group:legal'] } },
  async client => {
    const [run] = await readRuns(client, 'review-contract')
    expect(run).toMatchObject({
      status: 'completed',
      result: {
        outcome: 'accepted',
        approvers: ['user:bob', 'user:carol'],
        analysis: expect.stringContaining('Contract policy') as string,
        sources: expect.arrayContaining(['Hosting agreement: Clear Sky Cloud']) as string[],
      },
    })
    const [task] = await readTasks(client)
    const evidence = (await client.get<Evidence>(`/v1/interventions/${task?.interventionId}/evidence`)).body
    const { data: keys } = (await client.get<{ data: EvidenceKey[] }>('/v1/evidence-keys')).body
    expect(await verifyEvidence(evidence, keys)).toMatchObject({ verified: true, votes: 2, problems: [] })
  },
)

testExample('nightly-sync', {}, async client => {
  const [copied, undone] = await readRuns(client, 'sync-orders')
  expect(copied).toMatchObject({
    status: 'completed',
    result: { day: '2026-03-14', orders: 3, reservation: 'reservations-1', labels: 'labels-2' },
  })
  expect(copied?.nodes.find(({ key }) => key === 'orders')).toMatchObject({ attempt: 2 })
  expect(undone).toMatchObject({
    status: 'failed',
    failedReason: expect.stringContaining('is closed already') as string,
    receipt: [
      { key: 'label', outcome: 'compensated' },
      { key: 'reserve', outcome: 'compensated' },
    ],
  })
  const { body: trigger } = await client.get('/v1/triggers/nightly-sync')
  expect(trigger).toMatchObject({ paused: true, health: 'paused' })
})

const releasePeople: People = {
  bob: { groups: ['group:release-managers'] },
  admin: { permissions: ['access:manage', 'interventions:read'] },
}
testExample('release-approval', releasePeople, async client => {
  const [released, blocked] = await readRuns(client, 'approve-release')
  expect(released).toMatchObject({
    status: 'completed',
    result: { outcome: 'released', deployment: 'deploy-1', approved_by: 'user:bob' },
  })
  expect(blocked).toMatchObject({ status: 'completed', result: { outcome: 'blocked', failed: ['licenses'] } })
  const firings = (await client.get<{ data: FiringView[] }>('/v1/triggers/release-requested/runs')).body.data
  expect(firings.map(({ decision }) => decision).toSorted()).toEqual(['duplicate', 'fired', 'fired', 'refused'])
  const webhooks = (await client.get<{ data: { id: string; is_active: boolean }[] }>('/v1/webhooks')).body.data
  expect(webhooks).toMatchObject([{ is_active: false }])
  const deliveries = await client.get<{ data: DeliveryView[] }>(`/v1/webhooks/${webhooks[0]?.id}/deliveries`)
  expect(deliveries.body.data.map(({ status }) => status)).toContain('succeeded')
})
