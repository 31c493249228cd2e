import type { ChannelView } from '../../../contract/channels/channel.ts'
import type { ChannelMessageView } from '../../../contract/channels/channel-message.ts'
import { execute } from '../../../data/shared/statements.ts'
import { startTeamsServer, type TeamsMessage, type TeamsServer } from '../../support/channels/teams-server.ts'
import type { Answer, ApiClient } from '../../support/clients/client.ts'
import { asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()
let teams: TeamsServer
let manager: ApiClient

beforeAll(async () => {
  teams = await startTeamsServer()
  manager = await context.workspace.permittedTo('access:manage', 'interventions:read')
  await context.workspace.as('user:tess', ['group:finance'])
})
afterAll(() => teams.close())

const save = (webhook_url: string, name = 'finance'): Promise<Answer<ChannelView>> =>
  manager.call<ChannelView>('PUT', '/v1/channels', { name, type: 'teams', webhook_url })

const textOf = ({ attachments }: TeamsMessage) =>
  attachments
    .flatMap(({ content }) => content.body)
    .flatMap(({ inlines }) => inlines)
    .map(({ text }) => text)
    .join('\n')

const findMessages = (text: string) => teams.messages.filter(message => textOf(message).includes(text))

async function ask(title: string, assignee = 'group:finance'): Promise<{ jobId: string; id: string }> {
  const review = { id: 'review', type: 'human', kind: 'approval', title, assignees: [assignee] }
  const end = { id: 'done', type: 'end', output: 1 }
  const graph = pathway([review, end], 'review.approve > done', 'review.reject > done')
  const jobId = await startRun(context.workspace.client, graph)
  const [task] = await asked(context.workspace.client, jobId)
  return { jobId, id: task?.interventionId ?? '' }
}

const readLog = async (id: string): Promise<ChannelMessageView | undefined> => {
  const { body } = await manager.get<{ data: ChannelMessageView[] }>('/v1/channels/finance/messages')
  return body.data.find(({ intervention_id }) => intervention_id === id)
}

test('a channel is the URL of a workflow, which is checked with a message and never returned', async () => {
  const { status, body } = await save(teams.url)
  expect({ status, body }).toMatchObject({ status: 200, body: { name: 'finance', type: 'teams', status: 'connected' } })
  expect(JSON.stringify(body)).not.toContain('sig=')
  expect(findMessages('connected to this conversation as finance')).toHaveLength(1)
  expect(await save(`${teams.url}1`)).toMatchObject({ status: 400, body: { details: [{ pointer: '/webhook_url' }] } })
  teams.fail(503)
  expect(await save(teams.url)).toMatchObject({ status: 503 })
})

test('a task is announced once with a link, and the card cannot decide it', async () => {
  const rule = { subject: 'group:finance', channel: 'finance' }
  expect(await manager.call('PUT', '/v1/notification-rules', rule)).toMatchObject({ status: 200 })
  const { jobId, id } = await ask('Pay [the invoice](https://example.org)?')
  await waitUntil(async () => (await readLog(id))?.status === 'sent')
  const messages = findMessages('New task: Pay [the invoice](https://example.org)?')
  expect(messages).toHaveLength(1)
  const content = messages[0]?.attachments[0]?.content
  expect(new Set(content?.body.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']))
  expect(content?.actions.every(({ type }) => type === 'Action.OpenUrl')).toBe(true)
  await context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)
  await jobWith(context.workspace.client, jobId, 'failed')
  expect(findMessages('Pay [the invoice]')).toHaveLength(1)
})

test('a failed message is retried, and a failing workflow does not delay the run', async () => {
  teams.fail(429)
  const { jobId, id } = await ask('Retried?')
  await waitUntil(async () => (await readLog(id))?.failure === 'Teams returned the status 429')
  expect((await context.workspace.client.get<{ status: string }>(`/v1/jobs/${jobId}`)).body.status).toBe('waiting')
  await waitUntil(async () => (await readLog(id))?.status === 'sent')
  expect(findMessages('Retried?')).toHaveLength(1)
  await context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)
})

test('a digest of long titles in any language is cut to what Teams accepts', async () => {
  await context.workspace.as('user:tom', ['group:tax'])
  const titles = Array.from({ length: 20 }, (_, i) => `承認${i}`.padEnd(500, '承'))
  const jobs = await Promise.all(titles.map(title => ask(title, 'group:tax')))
  const rule = { subject: 'group:tax', channel: 'finance', events: [], digest: true }
  expect(await manager.call('PUT', '/v1/notification-rules', rule)).toMatchObject({ status: 200 })
  await context.stack.database.db.inWorkspace(context.workspace.id, tx =>
    execute(tx, `update notification_rules set digest_due_at = now() where subject = 'group:tax'`),
  )
  await waitUntil(() => findMessages('20 open tasks').length === 1)
  await Promise.all(jobs.map(({ jobId }) => context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)))
})

test('a receptor cannot be bound to a workflow, which receives nothing', async () => {
  const { body: neuron } = await context.workspace.client.post<{ id: string }>('/v1/neurons', {
    title: 'Clerk',
    model: 'builtin:extractive',
  })
  const receptor = await context.workspace.client.post('/v1/receptors', {
    title: 'Desk',
    target: { type: 'neuron', ref: neuron.id },
    channels: [{ type: 'slack', channel: 'finance' }],
  })
  expect(receptor).toMatchObject({ status: 400, body: { details: [{ pointer: '/channels/0/type' }] } })
})
