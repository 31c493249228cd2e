import { useOwnAgents } from '../../support/agents/agents.ts'
import { openSlackWorkspace, type SlackWorkspace, textOf, USERS } from '../../support/channels/slack-workspace.ts'
import { startSlackServer, type StoredMessage } from '../../support/channels/slack-server.ts'
import { jobWith } from '../../support/runs/runs.ts'
import { waitUntil } from '../../support/stack/process.ts'

const slack = await startSlackServer()
const context = useOwnAgents({ SLACK_API_URL: slack.url })
let support: SlackWorkspace
beforeAll(async () => {
  support = await openSlackWorkspace(slack, context)
})
afterAll(() => slack.close())

test('killed processes lose and double nothing', async () => {
  const form = { title: 'Killed?', assignees: ['user:bob', 'user:cleo'], quorum: 2 }
  const { jobId, messageTo, task } = await support.ask(form)
  const [toBob, toCleo] = await Promise.all([messageTo(USERS['user:bob']), messageTo(USERS['user:cleo'])])
  await Promise.all([context.stack.killApi(), context.stack.killWorker()])
  await support.click(USERS['user:bob'], toBob, 'approve')
  await waitUntil(async () => textOf(toCleo.blocks).includes('1 of 2 approvals'))
  await support.click(USERS['user:cleo'], toCleo, 'approve')
  await context.stack.killWorker()
  await jobWith(context.workspace.client, jobId, 'completed')
  await waitUntil(async () => [toBob, toCleo].every(({ blocks }) => textOf(blocks).includes('Approved by user:cleo')))
  expect((await support.readTask(task.interventionId)).votes).toHaveLength(2)
  const sent = slack.messages.filter(({ blocks, user }) => user === undefined && textOf(blocks).includes('Killed?'))
  expect(sent).toHaveLength(2)
})

test('modals that are submitted while no worker runs decide once, and the person who is late is told', async () => {
  const form = { type: 'object', properties: { note: { type: 'string' } } }
  const people = [USERS['user:bob'], USERS['user:cleo']]
  const assignees = ['user:bob', 'user:cleo']
  const { jobId, messageTo, task } = await support.ask({ kind: 'form', title: 'Who is first?', form, assignees })
  for (const user of people) await support.click(user, await messageTo(user), 'open_form')
  const views = slack.views.slice(-people.length).map(({ view }) => view)
  await context.stack.worker.end('SIGKILL')
  const before = slack.messages.length
  const replies = people.map((user, i) => support.submit(user, views[i], { note: { value: user } }))
  for (const { body } of await Promise.all(replies)) expect(body).toEqual({ response_action: 'clear' })
  await context.stack.restartWorker()
  await jobWith(context.workspace.client, jobId, 'completed')
  const { votes } = await support.readTask(task.interventionId)
  expect(votes).toHaveLength(1)
  const late = votes[0]?.by === 'user:bob' ? USERS['user:cleo'] : USERS['user:bob']
  await waitUntil(() => slack.messages.slice(before).some(({ user }) => user === late))
})

test('a person whose pending answer is rejected later is told why, once', async () => {
  const [bob, cleo] = [USERS['user:bob'], USERS['user:cleo']]
  const title = 'Pending and rejected?'
  const { jobId, messageTo, task } = await support.ask({ title, assignees: ['user:bob', 'user:cleo'], quorum: 2 })
  const messages = await Promise.all([bob, cleo].map(messageTo))
  await context.stack.worker.end('SIGKILL')
  const isPending = ({ text }: StoredMessage) => text.includes('answer was received')
  const before = slack.messages.filter(isPending).length
  await Promise.all(messages.map((message, i) => support.click(i === 0 ? bob : cleo, message, 'reject')))
  await waitUntil(() => slack.messages.filter(isPending).length === before + messages.length)
  await context.stack.restartWorker()
  await jobWith(context.workspace.client, jobId, 'completed')
  const isReport = ({ text }: StoredMessage) => text.startsWith(`Your answer to “${title}” was not accepted`)
  const report = await slack.untilMessage(isReport)
  const { votes } = await support.readTask(task.interventionId)
  expect(votes).toHaveLength(1)
  const [winner, late] = votes[0]?.by === 'user:bob' ? ['user:bob', cleo] : ['user:cleo', bob]
  expect(report).toMatchObject({ channel: slack.directOf(late), user: undefined })
  expect(report.text).toContain(`already decided: reject by ${winner}`)
  await context.stack.killWorker()
  const next = await support.ask({ title: 'Next?', assignees: ['user:bob'] })
  await next.messageTo(bob)
  expect(slack.messages.filter(isReport)).toHaveLength(1)
  await context.workspace.client.post(`/v1/jobs/${next.jobId}/cancel`)
})

test('a killed worker notifies once', async () => {
  const { jobId, messageTo } = await support.ask({ title: 'Reminded?', assignees: ['user:bob'], remind: ['PT3S'] })
  await messageTo(USERS['user:bob'])
  await context.stack.killWorker()
  const isReminder = ({ blocks }: Pick<StoredMessage, 'blocks'>) => textOf(blocks).includes('Reminder: Reminded?')
  await slack.untilMessage(isReminder)
  await context.stack.killWorker()
  await context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)
  await jobWith(context.workspace.client, jobId, 'failed')
  expect(slack.messages.filter(isReminder)).toHaveLength(1)
})
