import type { ApiClient } from '../../../support/clients/client.ts'
import { answer, asked, jobWith } from '../../../support/runs/runs.ts'
import type { AgentContext } from '../../../support/agents/agents.ts'
import type { TestWorkspace } from '../../../support/stack/stack.ts'
import { waitUntil } from '../../../support/stack/process.ts'
import { booking, HANDBOOK, INVOICES, invoices, onboarding, refunds, SHOP_API } from './resources.ts'

/** The runs and threads that appear in the pictures. */
export interface Acme {
  workspace: TestWorkspace
  /** An approved invoice that is being paid. */
  paying: string
  /** A paid invoice. */
  paid: string
  /** The task to pay another invoice. */
  task: string
  /** A run whose step calls a wrong address. */
  stuck: string
  /** A similar run that was cancelled. */
  cancelled: string
  /** A thread with an agent. */
  thread: string
}

export const ANN = 'user:ann.ito'
const FINANCE = ['group:finance']

/** Fills a workspace with the data of a fictional company. `shopUrl` is the address of its order system. */
export async function fillAcme(context: AgentContext, shopUrl: string): Promise<Acme> {
  const workspace = await context.stack.workspace({ actor: ANN, groups: FINANCE }, 'acme')
  const { client } = workspace
  const ben = await workspace.as('user:ben.okafor', FINANCE)
  const clara = await workspace.as('user:clara.weiss')
  const create = async (kind: string, fields: object): Promise<string> => {
    const { status, body } = await client.post<{ id: string }>(`/v1/${kind}`, fields)
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return body.id
  }
  const start = async (slug: string, input: object, by = ben): Promise<string> => {
    const { status, body } = await by.post<{ job_id: string }>(`/v1/pathways/${slug}/execute`, { input })
    if (status !== 202) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return body.job_id
  }
  const answerFor = (topic: string, value: object) =>
    context.plays(topic, {
      tokens: [JSON.stringify(value)],
      delay_ms: 900,
      usage: { input_tokens: 412, output_tokens: 61 },
    })

  await create('pathways', invoices(shopUrl))
  await create('pathways', refunds(shopUrl))
  await create('pathways', onboarding)
  await create('pathways', booking)
  for (const [title, content] of Object.entries(HANDBOOK))
    await create('artifacts', { title, content: `# ${title}\n\n${content}`, path: '/handbook' })
  await create('reflexes', { slug: 'handbook', title: 'Handbook', source: 'builtin', tools: [{ name: 'search' }] })
  await create('reflexes', {
    slug: 'orders',
    title: 'Orders',
    source: 'openapi',
    openapi: SHOP_API,
    server_url: shopUrl,
  })
  await create('neurons', {
    slug: 'support',
    title: 'Support',
    neuron_type: 'agent',
    instructions: 'Answer questions about orders. Look up the handbook before you refund.',
    tools: [
      { reflex: 'handbook', with: { types: ['artifacts'], path_prefix: '/handbook' } },
      { reflex: 'orders', names: ['find_order'] },
      {
        reflex: 'orders',
        names: ['refund_order'],
        approval: { when: 'true', assignees: [ANN], title: 'Refund ${args.amount} for order ${args.number}?' },
      },
    ],
  })

  const invoiceRuns: Record<string, string> = {}
  for (const { number, vendor, total, order, due } of INVOICES) {
    answerFor(number, { vendor, total, order, due })
    invoiceRuns[number] = await start('invoices', { number, vendor }, vendor.startsWith('Blue') ? clara : ben)
  }
  const refund = await start('refunds', { order: '4698', customer: 'Mia Berger', amount: '€189.00' }, clara)
  const onboard = await start('supplier-onboarding', { company: 'Toro Papier' }, clara)
  await Promise.all([...Object.values(invoiceRuns), refund, onboard].map(job => jobWith(client, job, 'waiting')))

  const startBooking = async (order: string, amount: number): Promise<string> => {
    context.plays(order, { tokens: [order] })
    const jobId = await start('booking', { order, amount })
    await approve(client, workspace.id, jobId)
    await waitUntil(async () => {
      const { body } = await client.get<{ cause: string }>(`/v1/jobs/${jobId}/diagnosis`)
      return body.cause === 'retrying'
    })
    return jobId
  }
  const stuck = await startBooking('A second plotter for the design team', 1_450)
  const cancelled = await startBooking('Oak shelves for the showroom', 2_380)
  await client.post(`/v1/jobs/${cancelled}/cancel`)
  await jobWith(client, cancelled)

  const [paying = '', waiting = '', paid = ''] = ['NT-20417', 'LM-77', 'KO-0952'].map(number => invoiceRuns[number])
  await approve(client, workspace.id, paying)
  await approve(client, workspace.id, paid)
  const [task] = await asked(client, waiting)
  await jobWith(client, paid, 'completed')
  const thread = await talk(context, workspace)
  return { workspace, paying, paid, task: task?.interventionId ?? '', stuck, cancelled, thread }
}

/** Approves the open task of a run. */
async function approve(client: ApiClient, workspaceId: string, jobId: string): Promise<void> {
  const [task] = await asked(client, jobId)
  const reply = await answer(client, workspaceId, jobId, task?.interventionId ?? '', { action: 'approve' })
  if (reply.status !== 200) throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`)
}

/** Threads in the list, of one turn each. */
const OTHER_THREADS = [
  'Which orders are late?',
  'When does order 4702 arrive?',
  'Who is our contact at Nordwind Timber?',
]

/** A conversation of three turns with tool calls. The last call is approved. */
async function talk({ plays }: AgentContext, { id, client }: TestWorkspace): Promise<string> {
  await waitUntil(async () => {
    const { status, body } = await client.post<{ matches: object[] }>('/v1/search', {
      query: 'refund',
      mode: 'keyword',
    })
    return status === 200 && body.matches.length > 0
  })
  plays(
    'Has order 4711 shipped',
    { calls: [{ name: 'find_order', args: { number: '4711' } }] },
    {
      tokens: [
        'Yes. Order **4711** (2 desk lamps, €178.00) left our warehouse on 24 November and arrived on 26 November.',
      ],
    },
  )
  plays(
    'one lamp is broken',
    { calls: [{ name: 'search', args: { query: 'refund for damaged goods' } }] },
    {
      tokens: [
        'The handbook allows it: for damaged goods we refund the full price within **30 days**, without a return. ',
        'For one lamp that is **€89.00**.',
      ],
    },
  )
  plays(
    'Refund it',
    { calls: [{ name: 'refund_order', args: { number: '4711', amount: '€89.00' } }] },
    { tokens: ['Ann approved the refund. The customer gets **€89.00** back within five working days.'] },
  )
  const say = async (trace: string, message: string): Promise<{ job_id: string; trace_id: string }> =>
    (await client.post<{ job_id: string; trace_id: string }>(`/v1/chat/${trace}`, { message, neuron: 'support' })).body
  for (const message of OTHER_THREADS) await jobWith(client, (await say('new', message)).job_id)
  const { job_id, trace_id } = await say('new', 'Has order 4711 shipped?')
  await jobWith(client, job_id, 'completed')
  await jobWith(
    client,
    (await say(trace_id, 'The customer says that one lamp is broken. What can we offer?')).job_id,
    'completed',
  )
  const { job_id: refund } = await say(trace_id, 'Refund it, please.')
  await approve(client, id, refund)
  await jobWith(client, refund, 'completed')
  return trace_id
}
