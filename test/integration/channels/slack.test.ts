import { randomUUID } from 'node:crypto'
import { OPERATOR } from '../../../data/audit/audit-store.ts'
import { sumUnusedFiles } from '../../../data/documents/files-store.ts'
import { execute } from '../../../data/shared/statements.ts'
import { createMembers } from '../../../services/access/members.ts'
import { useAgents } from '../../support/agents/agents.ts'
import {
  listButtons,
  openSlackWorkspace,
  type SlackWorkspace,
  textOf,
  USERS,
} from '../../support/channels/slack-workspace.ts'
import { createClient } from '../../support/clients/client.ts'
import type { SlackServer } from '../../support/channels/slack-server.ts'
import { jobWith } from '../../support/runs/runs.ts'
import { waitUntil } from '../../support/stack/process.ts'

const context = useAgents()
let slack: SlackServer
let support: SlackWorkspace

beforeAll(async () => {
  slack = context.slack
  support = await openSlackWorkspace(slack, context)
})

test('a channel is connected, and its credentials are never returned', async () => {
  const { body } = await support.manager.get('/v1/channels/support')
  expect(body).toMatchObject({ name: 'support', team: 'Test team', status: 'connected', request_url: support.url })
  expect(JSON.stringify(body)).not.toContain(slack.token)
})

test('an approval with a quorum of two is decided in Slack, and the messages name who decided', async () => {
  const { jobId, task, messageTo } = await support.ask({
    title: 'Pay 900 EUR?',
    assignees: ['user:bob', 'user:cleo'],
    quorum: 2,
  })
  const [toBob, toCleo] = await Promise.all([messageTo(USERS['user:bob']), messageTo(USERS['user:cleo'])])
  expect(listButtons(toBob).map(({ action_id }) => action_id)).toEqual(['approve', 'reject', 'open_link'])
  expect(await support.click(USERS['user:bob'], toBob, 'approve')).toMatchObject({ status: 200 })
  await waitUntil(async () => textOf(toCleo.blocks).includes('1 of 2 approvals'))
  expect(textOf(toCleo.blocks)).toContain('Approved by user:bob')
  await support.click(USERS['user:cleo'], toCleo, 'approve')
  const job = await jobWith(context.workspace.client, jobId, 'completed')
  expect(job.status).toBe('completed')
  await waitUntil(async () => textOf(toBob.blocks).includes('Approved by user:cleo') && listButtons(toBob).length === 1)
  const { votes } = await support.readTask(task.interventionId)
  expect(votes).toMatchObject([
    { action: 'approve', by: 'user:bob' },
    { action: 'approve', by: 'user:cleo' },
  ])
  expect(
    slack.messages.filter(({ blocks, user }) => user === undefined && textOf(blocks).includes('Pay 900')),
  ).toHaveLength(2)
})

test('evidence names the member and the channel, and verifies', async () => {
  const { jobId, task, messageTo } = await support.ask({ title: 'Sign it?', assignees: ['user:bob'] })
  await support.click(USERS['user:bob'], await messageTo(USERS['user:bob']), 'reject')
  await jobWith(context.workspace.client, jobId, 'completed')
  const { body } = await context.workspace.client.get<{ votes: { statement: object }[] }>(
    `/v1/interventions/${task.interventionId}/evidence`,
  )
  expect(JSON.stringify(body)).toContain('"kind":"slack"')
  expect(JSON.stringify(body)).toContain('"by":"user:bob"')
})

test('someone who is not allowed, not linked or late is told why, and decides nothing', async () => {
  const { jobId, task, messageTo } = await support.ask({ title: 'Only Bob?', assignees: ['user:bob'] })
  const toBob = await messageTo(USERS['user:bob'])
  const privately = (user: string) => slack.messages.filter(({ user: only }) => only === user).map(({ text }) => text)
  expect(await support.click(USERS['user:cleo'], toBob, 'approve')).toMatchObject({ status: 200 })
  expect(privately(USERS['user:cleo']).at(-1)).toMatch(/assign/)
  await support.click('U0STRANGER', toBob, 'approve')
  expect(privately('U0STRANGER').at(-1)).toContain('not linked')
  expect(await support.readTask(task.interventionId)).toMatchObject({ status: 'open', votes: [] })
  const former = { ...toBob, blocks: structuredClone(toBob.blocks) }
  await support.click(USERS['user:bob'], toBob, 'approve')
  await jobWith(context.workspace.client, jobId, 'completed')
  await support.click(USERS['user:bob'], former, 'reject')
  expect(privately(USERS['user:bob']).at(-1)).toMatch(/closed|decided|answered/)
  expect((await support.readTask(task.interventionId)).votes).toMatchObject([{ action: 'approve' }])
})

test('a slow result does not delay the response to a click, and the person is told afterwards', async () => {
  const { task, messageTo } = await support.ask({ title: 'Slow Slack?', assignees: ['user:bob'] })
  const toBob = await messageTo(USERS['user:bob'])
  const release = slack.hold('chat.postEphemeral')
  const before = slack.messages.length
  expect(await support.click(USERS['user:cleo'], toBob, 'approve')).toMatchObject({ status: 200 })
  expect(slack.messages).toHaveLength(before)
  release()
  await slack.untilMessage(
    ({ user, text, channel }) => user === USERS['user:cleo'] && channel === toBob.channel && text.includes('assign'),
  )
  expect(await support.readTask(task.interventionId)).toMatchObject({ status: 'open', votes: [] })
})

test('forged, old and foreign requests are refused, and a button for other content decides nothing', async () => {
  const { task, messageTo } = await support.ask({ title: 'Forged?', assignees: ['user:bob'] })
  const toBob = await messageTo(USERS['user:bob'])
  const body = (value: object) => ({
    type: 'block_actions',
    team: { id: slack.teamId },
    trigger_id: 't',
    user: { id: USERS['user:bob'] },
    channel: { id: toBob.channel },
    actions: [{ action_id: 'approve', value: JSON.stringify(value) }],
  })
  const shown = JSON.parse(listButtons(toBob)[0]?.value ?? '') as { interventionId: string; shown_hash: string }
  expect(await slack.post(support.url, body(shown), { form: true, secret: 'wrong' })).toMatchObject({ status: 401 })
  const old = new Date(Date.now() - 400_000)
  expect(await slack.post(support.url, body(shown), { form: true, at: old })).toMatchObject({ status: 401 })
  const foreign = { ...body(shown), team: { id: 'T0OTHER' } }
  expect(await slack.post(support.url, foreign, { form: true })).toMatchObject({ status: 400 })
  await slack.post(support.url, body({ ...shown, shown_hash: '0'.repeat(64) }), { form: true })
  expect(slack.messages.at(-1)).toMatchObject({ user: USERS['user:bob'], text: expect.stringContaining('has changed') })
  expect(await support.readTask(task.interventionId)).toMatchObject({ status: 'open', votes: [] })
})

test('everyone who has ever set the credentials counts as the author of an answer', async () => {
  const { stack, workspace } = context
  const eve = await workspace.as('user:eve')
  const key = await workspace.newKey({ actor: 'user:eve', permissions: ['access:manage'] })
  const channel = { name: 'support', type: 'slack', bot_token: slack.token, signing_secret: slack.signingSecret }
  expect(await createClient(stack.baseUrl, key).call('PUT', '/v1/channels', channel)).toMatchObject({ status: 200 })
  expect(await support.saveChannel('support')).toMatchObject({ status: 200 })
  expect(await support.saveChannel('support')).toMatchObject({ status: 200 })
  const question = { title: 'Four eyes?', assignees: ['user:cleo'], exclude_requester: true }
  const { jobId, task, messageTo } = await support.ask(question, eve)
  await support.click(USERS['user:cleo'], await messageTo(USERS['user:cleo']), 'approve')
  expect(slack.messages.at(-1)).toMatchObject({ user: USERS['user:cleo'] })
  expect(await support.readTask(task.interventionId)).toMatchObject({ status: 'open', votes: [] })
  await workspace.client.post(`/v1/jobs/${jobId}/cancel`)
})

test('a channel limits its requests per minute, and a forged request does not count', async () => {
  await support.saveChannel('busy')
  const url = support.url.replace(/support$/, 'busy')
  const verify = (secret?: string) =>
    slack.post(url, { type: 'url_verification', challenge: 'c' }, secret === undefined ? {} : { secret })
  const forged = await Promise.all(Array.from({ length: 20 }, () => verify('wrong')))
  expect(new Set(forged.map(({ status }) => status))).toEqual(new Set([401]))
  const statuses: number[] = []
  while (statuses.length < 600) {
    const replies = await Promise.all(Array.from({ length: 50 }, () => verify()))
    statuses.push(...replies.map(({ status }) => status))
  }
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await verify()).toMatchObject({ status: 429 })
  expect(await support.manager.del('/v1/channels/busy')).toMatchObject({ status: 204 })
})

test('a form is answered in a modal, which shows problems at their fields', async () => {
  const form = {
    type: 'object',
    required: ['amount', 'reason'],
    properties: {
      amount: { type: 'integer', minimum: 1, title: 'Amount' },
      reason: { type: 'string', enum: ['damaged', 'late'] },
      express: { type: 'boolean' },
    },
  }
  const { jobId, messageTo } = await support.ask({
    kind: 'form',
    title: 'Refund details',
    form,
    assignees: ['user:bob'],
  })
  const toBob = await messageTo(USERS['user:bob'])
  await support.click(USERS['user:bob'], toBob, 'open_form')
  const { view } = slack.views.at(-1) ?? {}
  expect(view).toMatchObject({
    title: { text: 'Refund details' },
    blocks: [
      { block_id: 'amount', optional: false, label: { text: 'Amount' }, element: { type: 'number_input' } },
      { block_id: 'reason', element: { type: 'static_select', options: [{ value: 'damaged' }, { value: 'late' }] } },
      { block_id: 'express', optional: true, element: { type: 'static_select' } },
    ],
  })
  const submit = (amount: string) =>
    support.submit(USERS['user:bob'], view, {
      amount: { value: amount },
      reason: { selected_option: { value: 'late' } },
      express: { selected_option: null },
    })
  expect((await submit('0')).body).toMatchObject({ response_action: 'errors', errors: { amount: expect.any(String) } })
  expect((await submit('20')).body).toEqual({ response_action: 'clear' })
  const { result } = await jobWith(context.workspace.client, jobId, 'completed')
  expect(result).toMatchObject({ by: 'user:bob', data: { amount: 20, reason: 'late' } })
})

/** Delays all answers from Slack until the returned function is called. */
async function delayAnswers(): Promise<() => Promise<void>> {
  const isLocked = Promise.withResolvers<void>()
  const isOver = Promise.withResolvers<void>()
  const locking = context.stack.database.db.inWorkspace(context.workspace.id, async tx => {
    await execute(tx, 'lock table channel_accounts')
    isLocked.resolve()
    await isOver.promise
  })
  await isLocked.promise
  return () => {
    isOver.resolve()
    return locking
  }
}

test('a modal whose answer is late closes, the answer is accepted once, and refusals are told to the person', async () => {
  const { jobId, task, messageTo } = await support.ask({
    kind: 'form',
    title: 'Late?',
    form: { type: 'object', required: ['note'], properties: { note: { type: 'string', minLength: 3 } } },
    assignees: ['user:bob'],
  })
  const toBob = await messageTo(USERS['user:bob'])
  await support.click(USERS['user:bob'], toBob, 'open_form')
  const { view } = slack.views.at(-1) ?? {}
  const submitLate = async (user: string, value: string) => {
    const before = slack.messages.length
    const proceed = await delayAnswers()
    const { status, body } = await support.submit(user, view, { note: { value } })
    expect({ status, body }).toEqual({ status: 200, body: { response_action: 'clear' } })
    await proceed()
    return (text: RegExp) =>
      waitUntil(() => slack.messages.slice(before).some(message => message.user === user && text.test(message.text)))
  }
  const untilCleoReads = await submitLate(USERS['user:cleo'], 'not mine')
  await untilCleoReads(/assign/)
  const untilBobReads = await submitLate(USERS['user:bob'], 'no')
  await untilBobReads(/characters/)
  expect(await support.readTask(task.interventionId)).toMatchObject({ status: 'open', votes: [] })
  await submitLate(USERS['user:bob'], 'done')
  const { result } = await jobWith(context.workspace.client, jobId, 'completed')
  expect(result).toMatchObject({ by: 'user:bob', data: { note: 'done' } })
  const untilBobReadsAgain = await submitLate(USERS['user:bob'], 'again')
  await untilBobReadsAgain(/closed|decided|answered/)
  expect((await support.readTask(task.interventionId)).votes).toMatchObject([{ by: 'user:bob' }])
})

test('a message is a run of the bound receptor, a thread continues, and a repeated event starts no second run', async () => {
  const neuron = await context.neuron({ slug: `greeter-${randomUUID()}` })
  const receptor = await context.workspace.client.post<{ id: string }>('/v1/receptors', {
    title: 'Support',
    target: { type: 'neuron', ref: neuron },
    channels: [{ type: 'slack', channel: 'support' }],
  })
  expect(receptor).toMatchObject({ status: 201 })
  expect((await support.readChannel()).receptors).toMatchObject([{ id: receptor.body.id, conversations: null }])
  context.plays('where is my order', { tokens: ['It is ', 'on its way.'] })
  context.plays('and the invoice', { tokens: ['It is in your inbox.'] })
  const user = USERS['user:cleo']
  const first = support.message(user, 'where is my order?')
  const ts = first.event.ts
  await Promise.all([
    slack.post(support.url, first),
    slack.post(support.url, first, { headers: { 'X-Slack-Retry-Num': '1' } }),
  ])
  const reply = await slack.untilMessage(({ thread_ts, text }) => thread_ts === ts && text === 'It is on its way.')
  await slack.post(support.url, support.message(user, 'and the invoice?', { thread_ts: ts }))
  await slack.untilMessage(({ thread_ts, text }) => thread_ts === ts && text === 'It is in your inbox.')
  const { body } = await context.workspace.client.get<{
    total: number
    jobs: { trace_id: string; requester: string }[]
  }>(`/v1/jobs?receptor_id=${receptor.body.id}`)
  expect(body.total).toBe(2)
  expect(new Set(body.jobs.map(({ trace_id }) => trace_id)).size).toBe(1)
  expect(body.jobs[0]?.requester).toBe('user:cleo')
  expect(slack.messages.filter(({ thread_ts }) => thread_ts === ts)).toHaveLength(2)
  expect(reply.history[0]).toBe('…')
  const other = await context.workspace.client.post<{ details: object[] }>('/v1/receptors', {
    title: 'Second',
    target: { type: 'neuron', ref: neuron },
    channels: [{ type: 'slack', channel: 'support' }],
  })
  expect(other).toMatchObject({
    status: 400,
    body: { details: [{ pointer: '/channels/0/channel', message: expect.stringContaining('already answered') }] },
  })
})

test('files of a message become files of the thread, and the agent learns of files that are not accepted', async () => {
  const neuron = await context.neuron({ slug: `reader-${randomUUID()}` })
  const saved = await support.saveChannel('files')
  const url = 'request_url' in saved.body ? saved.body.request_url : ''
  await support.link('user:bob', USERS['user:bob'], 'files')
  const { body: receptor } = await context.workspace.client.post<{ id: string }>('/v1/receptors', {
    title: 'Files',
    target: { type: 'neuron', ref: neuron },
    channels: [{ type: 'slack', channel: 'files' }],
  })
  context.plays('See the attachments', { tokens: ['I have read them.'] })
  const lease = { name: 'lease.txt', mimetype: 'text/plain' }
  const files = [
    { id: slack.addFile({ ...lease, content: 'The lease ends in May.' }), name: 'lease.txt' },
    { id: slack.addFile(lease), name: 'drive.txt' },
    { id: slack.addFile({ ...lease, content: 'x'.repeat(20_971_521) }), name: 'large.txt' },
    { id: 'F0GONE', name: 'gone.txt' },
  ]
  const sent = support.message(USERS['user:bob'], '', { subtype: 'file_share', files })
  expect(await slack.post(url, sent)).toMatchObject({ status: 200 })
  await slack.untilMessage(({ text }) => text === 'I have read them.')
  const { body } = await context.workspace.client.get<{ jobs: { trace_id: string }[] }>(
    `/v1/jobs?receptor_id=${receptor.id}`,
  )
  expect(body.jobs).toHaveLength(1)
  const trace = await context.workspace.client.get<{ messages: object[] }>(`/v1/traces/${body.jobs[0]?.trace_id}`)
  expect(trace.body.messages[0]).toMatchObject({
    role: 'user',
    text: [
      'See the attachments.',
      'Attachment not accepted: drive.txt: Slack does not store this file',
      'Attachment not accepted: large.txt: A file may have at most 20971520 bytes',
      'Attachment not accepted: gone.txt: Slack returned file_not_found',
    ].join('\n\n'),
    files: [{ file_name: 'lease.txt', media_type: 'text/plain', size: 22 }],
  })

  context.plays('Compare them', { tokens: ['They are equal.'] })
  const other = { id: slack.addFile({ ...lease, content: 'The lease ends in June.' }), name: 'other.txt' }
  const repeated = support.message(USERS['user:bob'], 'Compare them', { files: [...files.slice(0, 1), other] })
  slack.fail(other.id, { status: 503 })
  expect(await slack.post(url, repeated)).toMatchObject({ status: 503 })
  const replies = await Promise.all([slack.post(url, repeated), slack.post(url, repeated)])
  expect(replies).toMatchObject([{ status: 200 }, { status: 200 }])
  await slack.untilMessage(({ text }) => text === 'They are equal.')
  const { db } = context.stack.database
  const { id: workspaceId } = context.workspace
  expect(await db.inWorkspace(workspaceId, tx => sumUnusedFiles(tx, workspaceId, 'user:bob'))).toBe(0)

  slack.fail('files.info', { status: 500 })
  expect(await slack.post(url, repeated)).toMatchObject({ status: 200 })
  expect(await slack.post(url, support.message(USERS['user:bob'], 'Again', { files }))).toMatchObject({ status: 503 })
  expect(await context.workspace.client.call('DELETE', `/v1/receptors/${receptor.id}`)).toMatchObject({ status: 204 })
  expect(await support.manager.call('DELETE', '/v1/channels/files')).toMatchObject({ status: 204 })
})

test('a bot, an unlinked person and a code that is used twice start nothing', async () => {
  const before = slack.messages.length
  const bot = support.message('U0OTHERBOT', 'hello', { bot_id: 'B01' })
  expect(await slack.post(support.url, bot)).toMatchObject({ status: 200 })
  expect(await slack.post(support.url, support.message(slack.botUserId, 'hello'))).toMatchObject({ status: 200 })
  expect(slack.messages).toHaveLength(before)
  await slack.post(support.url, support.message('U0STRANGER', 'hello'))
  expect(slack.messages.at(-1)?.text).toContain('link CODE')
  await slack.post(support.url, support.message('U0STRANGER', 'link ABCDEFGH'))
  expect(slack.messages.at(-1)?.text).toContain('unknown or has expired')
})

test.each<Record<string, string>>([{ 'Retry-After': '1' }, {}])(
  'a lost response and a rate limit with %j send no message twice and lose none',
  async headers => {
    slack.fail('chat.postMessage', 'lost response')
    const { messageTo, messages, jobId, task } = await support.ask({
      title: `Lost response, ${headers['Retry-After'] ?? 'no'} delay?`,
      assignees: ['user:bob'],
    })
    const toBob = await messageTo(USERS['user:bob'])
    await waitUntil(async () => (await support.readLog(task.interventionId))?.status === 'sent')
    expect(await support.readLog(task.interventionId)).toMatchObject({ external_id: toBob.ts })
    slack.fail('chat.update', { status: 429, headers })
    await support.click(USERS['user:bob'], toBob, 'approve')
    await jobWith(context.workspace.client, jobId, 'completed')
    await waitUntil(async () => textOf(toBob.blocks).includes('Approved by user:bob'))
    expect(messages()).toHaveLength(1)
  },
)

test('messages to a conversation are sent once the app is invited', async () => {
  const { stack, workspace } = context
  const operator = { ...OPERATOR, workspace_id: workspace.id }
  const dora = { actor: 'user:dora', role: 'reviewer' as const, groups: ['group:finance'] }
  await createMembers({ db: stack.database.db }).save(operator, dora)
  const rule = { subject: 'group:finance', channel: 'support', conversation: 'C0FINANCE1' }
  expect(await support.manager.call('PUT', '/v1/notification-rules', rule)).toMatchObject({ status: 200 })
  slack.fail('chat.postMessage', { error: 'not_in_channel' })
  const { task, messages } = await support.ask({ title: 'Invited?', assignees: ['group:finance'] })
  await waitUntil(async () => (await support.readLog(task.interventionId))?.failure === 'Slack returned not_in_channel')
  expect(messages()).toEqual([])
  expect(await support.readChannel()).toMatchObject({ status: 'connected', failure: null })
  const joined = { type: 'member_joined_channel', channel_type: 'C', channel: 'C0FINANCE1' }
  await slack.post(support.url, support.message(slack.botUserId, '', joined))
  await waitUntil(async () => (await support.readLog(task.interventionId))?.status === 'sent')
  expect(messages()).toMatchObject([{ channel: 'C0FINANCE1' }])
})

test('a task that is answered elsewhere before the message is known to be sent is shown as answered', async () => {
  slack.fail('chat.postMessage', 'lost response')
  const { messageTo, jobId, task } = await support.ask({ title: 'Answered at once?', assignees: ['user:bob'] })
  const toBob = await messageTo(USERS['user:bob'])
  await support.click(USERS['user:bob'], toBob, 'approve')
  await jobWith(context.workspace.client, jobId, 'completed')
  await waitUntil(async () => textOf(toBob.blocks).includes('Approved by user:bob'))
  // The log is written after Slack has confirmed the update.
  await waitUntil(async () => (await support.readLog(task.interventionId))?.status === 'sent')
  expect(await support.readLog(task.interventionId)).toMatchObject({ status: 'sent', external_id: toBob.ts })
})

test('a message that was deleted in Slack does not mark the channel as failing', async () => {
  const { messageTo, jobId, task } = await support.ask({ title: 'Deleted?', assignees: ['user:bob'] })
  const toBob = await messageTo(USERS['user:bob'])
  await waitUntil(async () => (await support.readLog(task.interventionId))?.status === 'sent')
  slack.messages.splice(slack.messages.indexOf(toBob), 1)
  await context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)
  await waitUntil(async () => (await support.readLog(task.interventionId))?.status === 'failed')
  expect((await support.readLog(task.interventionId))?.failure).toBe('Slack returned message_not_found')
  expect(await support.readChannel()).toMatchObject({ status: 'connected', failure: null })
})

test.each(['is_archived', 'user_not_found'])('the error %s does not mark the channel as failing', async error => {
  slack.fail('chat.postMessage', { error })
  const { jobId, task } = await support.ask({ title: `Fails with ${error}?`, assignees: ['user:bob'] })
  await waitUntil(async () => (await support.readLog(task.interventionId))?.status === 'failed')
  expect((await support.readLog(task.interventionId))?.failure).toBe(`Slack returned ${error}`)
  expect(await support.readChannel()).toMatchObject({ status: 'connected', failure: null })
  await context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)
})

test('a channel that fails does not delay the run, and its status says why', async () => {
  slack.fail('chat.postMessage', { error: 'account_inactive' })
  const { jobId, task } = await support.ask({ title: 'Nobody hears?', assignees: ['user:bob'] })
  await waitUntil(async () => (await support.readChannel()).status === 'failing')
  expect(await support.readChannel()).toMatchObject({ failure: 'Slack returned account_inactive' })
  expect(await support.readLog(task.interventionId)).toMatchObject({ status: 'failed' })
  expect(await support.readTask(task.interventionId)).toMatchObject({ status: 'open' })
  expect(await support.saveChannel('support')).toMatchObject({ status: 200 })
  await waitUntil(async () => (await support.readLog(task.interventionId))?.status === 'sent')
  await context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)
})

test('a purge removes the log entry of a task', async () => {
  const { jobId, task, messageTo } = await support.ask({ title: 'Purged?', assignees: ['user:bob'] })
  await support.click(USERS['user:bob'], await messageTo(USERS['user:bob']), 'approve')
  await jobWith(context.workspace.client, jobId, 'completed')
  expect(await context.workspace.client.del(`/v1/jobs/${jobId}`)).toMatchObject({ status: 202 })
  await waitUntil(async () => (await support.readLog(task.interventionId)) === undefined)
})

test('credentials are checked before they are stored, and a bound channel cannot be deleted', async () => {
  expect(await support.saveChannel('other', { bot_token: 'xoxb-wrong' })).toMatchObject({
    status: 400,
    body: { details: [{ pointer: '/bot_token', message: expect.stringContaining('invalid_auth') }] },
  })
  slack.fail('auth.test', { status: 503 })
  expect(await support.saveChannel('other')).toMatchObject({ status: 503 })
  for (const body of ['null', '[]', '{}', '"ok"', 'Bad gateway']) {
    slack.fail('auth.test', { body })
    expect(await support.saveChannel('other')).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('Slack returned an invalid response') },
    })
  }
  slack.teamId = 'T0OTHER001'
  expect(await support.saveChannel('support')).toMatchObject({ status: 409 })
  slack.teamId = 'T0TEAM0001'
  expect(await support.manager.del('/v1/channels/support')).toMatchObject({ status: 409 })
  expect(await support.saveChannel('other')).toMatchObject({ status: 200 })
  expect(await support.manager.del('/v1/channels/other')).toMatchObject({ status: 204 })
})

test('a task that goes to other people is withdrawn from the message', async () => {
  const { task, messageTo } = await support.ask({ title: 'Whose is it?', assignees: ['user:bob'] })
  const toBob = await messageTo(USERS['user:bob'])
  const reassigned = await context.workspace.client.post(`/v1/interventions/${task.interventionId}/reassign`, {
    to: ['user:cleo'],
  })
  expect(reassigned).toMatchObject({ status: 200 })
  await messageTo(USERS['user:cleo'])
  await waitUntil(async () => textOf(toBob.blocks).includes('no longer for you'))
  expect(listButtons(toBob)).toEqual([])
})

test('a person who is no longer a member answers nothing and receives no tasks', async () => {
  const { task, messageTo } = await support.ask({ title: 'Still here?', assignees: ['user:cleo', 'user:bob'] })
  const toCleo = await messageTo(USERS['user:cleo'])
  const { stack, workspace } = context
  await createMembers({ db: stack.database.db }).remove({ ...OPERATOR, workspace_id: workspace.id }, 'user:cleo')
  await support.click(USERS['user:cleo'], toCleo, 'approve')
  expect(slack.messages.at(-1)).toMatchObject({
    user: USERS['user:cleo'],
    text: expect.stringContaining('not linked'),
  })
  expect(await support.readTask(task.interventionId)).toMatchObject({ status: 'open', votes: [] })
  const later = await support.ask({ title: 'Anyone there?', assignees: ['user:cleo', 'user:bob'] })
  await later.messageTo(USERS['user:bob'])
  expect(later.messages()).toHaveLength(1)
})
