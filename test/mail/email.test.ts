import type { ParsedMail } from 'mailparser'
import { OPERATOR } from '../../data/audit/audit-store.ts'
import { channelMailboxesTable } from '../../data/channels/tables.ts'
import { selectOne } from '../../data/shared/statements.ts'
import { list, pick } from '../../data/shared/table.ts'
import { createMembers } from '../../services/access/members.ts'
import type { MessageView } from '../../contract/agents/thread.ts'
import type { ChannelView } from '../../contract/channels/channel.ts'
import type { LinkCode } from '../../contract/channels/channel-account.ts'
import type { ChannelMessageView } from '../../contract/channels/channel-message.ts'
import type { InterventionView } from '../../contract/people/intervention.ts'
import { signInAs } from '../support/access/sign-in.ts'
import { useOwnAgents } from '../support/agents/agents.ts'
import {
  addressOf,
  AUTHSERV_ID,
  buildEmailChannel,
  PASSWORD,
  startMailServer,
} from '../support/channels/mail-server.ts'
import type { Answer, ApiClient } from '../support/clients/client.ts'
import { answer, asked, jobWith, pathway, startRun } from '../support/runs/runs.ts'
import { waitUntil } from '../support/stack/process.ts'

const AGENT = addressOf('agent')
const BOB = addressOf('bob')
const CLEO = addressOf('cleo')

const mail = await startMailServer()
const context = useOwnAgents({ EMAIL_POLL_SECONDS: '1', NODE_EXTRA_CA_CERTS: mail.certificate })
let manager: ApiClient

const saveChannel = (name: string, fields: object = {}): Promise<Answer<ChannelView>> =>
  manager.call<ChannelView>('PUT', '/v1/channels', {
    ...buildEmailChannel(mail, name),
    ...fields,
  })

const readLog = async (): Promise<ChannelMessageView[]> =>
  (await manager.get<{ data: ChannelMessageView[] }>('/v1/channels/mail/messages?limit=100')).body.data

/** Resolves with the log entry of a received mail. */
const untilReceived = (subject: string): Promise<ChannelMessageView> =>
  waitUntil(async () => (await readLog()).find(({ received }) => received?.subject === subject))

const answers =
  (messageId: string | undefined) =>
  ({ inReplyTo }: ParsedMail): boolean =>
    inReplyTo !== undefined && inReplyTo === messageId

const listRuns = async (receptorId: string) =>
  (
    await context.workspace.client.get<{ total: number; jobs: { trace_id: string; requester: string }[] }>(
      `/v1/jobs?receptor_id=${receptorId}`,
    )
  ).body

const saveMember = (actor: string, address?: string): Promise<unknown> => {
  const operator = { ...OPERATOR, workspace_id: context.workspace.id }
  return createMembers({ db: context.stack.database.db }).save(operator, { actor, role: 'reviewer', email: address })
}

/** Starts a run that asks Bob. */
async function ask(title: string, fields: object = {}) {
  const { client, id } = context.workspace
  const node = { id: 'review', type: 'human', kind: 'approval', title, assignees: ['user:bob'], ...fields }
  const end = { id: 'done', type: 'end', output: '${nodes.review.output}' }
  const jobId = await startRun(client, pathway([node, end], 'review.approve > done', 'review.reject > done'))
  const [task] = await asked(client, jobId)
  if (!task) throw new Error('the run asks nothing')
  return { jobId, interventionId: task.interventionId, workspaceId: id }
}

beforeAll(async () => {
  manager = await context.workspace.permittedTo('access:manage', 'interventions:read')
  expect(await saveChannel('mail')).toMatchObject({ status: 200 })
  await saveMember('user:cleo')
  const browser = await signInAs(context.stack, context.workspace, 'user:bob', 'reviewer')
  const { body } = await browser.send('POST', '/v1/channel-accounts/mail/code')
  const { code, instructions } = body as unknown as LinkCode
  expect(instructions).toContain(AGENT)
  await mail.send({ from: BOB, to: AGENT, subject: `link ${code}`, text: 'Hello', messageId: '<link-bob@mail.test>' })
  const reply = await mail.untilMail('bob', answers('<link-bob@mail.test>'))
  expect(reply.text).toContain('linked to user:bob')
})
afterAll(() => mail.close())

test('credentials are checked with both servers before they are stored, and never returned', async () => {
  const { body } = await manager.get('/v1/channels/mail')
  expect(body).toMatchObject({ type: 'email', from: AGENT, status: 'connected', imap: { authserv_id: AUTHSERV_ID } })
  expect(JSON.stringify(body)).not.toContain(PASSWORD)
  const smtp = { host: mail.host, port: mail.smtpPort, user: 'agent', password: 'wrong' }
  expect(await saveChannel('other', { smtp })).toMatchObject({ status: 400, body: { details: [{ pointer: '/smtp' }] } })
  const imap = { host: mail.host, port: mail.imapPort, user: 'agent', password: 'wrong', authserv_id: AUTHSERV_ID }
  expect(await saveChannel('other', { imap })).toMatchObject({ status: 400, body: { details: [{ pointer: '/imap' }] } })
  const hidden = { ...smtp, host: '169.254.169.254' }
  expect(await saveChannel('other', { smtp: hidden })).toMatchObject({
    status: 400,
    body: { details: [{ pointer: '/smtp', message: expect.stringContaining('private address') }] },
  })
})

test('a task arrives by mail with a link that decides nothing, and the decision follows in the same thread', async () => {
  const { jobId, interventionId, workspaceId } = await ask('Pay 900 EUR?')
  const first = await mail.untilMail('bob', ({ subject }) => subject === 'Pay 900 EUR?')
  const link = /https?:\/\/\S+/.exec(first.text ?? '')?.[0] ?? ''
  expect(link).toContain(`/console/inbox/${interventionId}`)
  expect(first.html).toContain(interventionId)
  expect(first.headers.get('auto-submitted')).toBe('auto-generated')
  expect(first.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line).toContain('part=notifications')
  await fetch(link)
  const { client } = context.workspace
  const read = async () => (await client.get<InterventionView>(`/v1/interventions/${interventionId}`)).body
  expect(await read()).toMatchObject({ status: 'open', votes: [] })
  const bob = await context.workspace.as('user:bob')
  expect(await answer(bob, workspaceId, jobId, interventionId, { action: 'approve' })).toMatchObject({ status: 200 })
  await jobWith(client, jobId, 'completed')
  const second = await mail.untilMail('bob', answers(first.messageId))
  expect(second.text).toContain('Approved by user:bob')
  expect((await mail.read('bob')).filter(({ subject = '' }) => subject.includes('Pay 900 EUR?'))).toHaveLength(2)
})

test('a reminder arrives in the thread of its task', async () => {
  await ask('Remind me?', { remind: ['PT5S'] })
  const first = await mail.untilMail('bob', ({ subject }) => subject === 'Remind me?')
  const second = await mail.untilMail('bob', answers(first.messageId))
  expect(second.subject).toBe('Reminder: Remind me?')
})

test('a task that goes to other people is withdrawn in the same thread', async () => {
  const { interventionId } = await ask('Whose is it?')
  const first = await mail.untilMail('bob', ({ subject }) => subject === 'Whose is it?')
  const path = `/v1/interventions/${interventionId}/reassign`
  expect(await context.workspace.client.post(path, { to: ['user:cleo'] })).toMatchObject({ status: 200 })
  const second = await mail.untilMail('bob', answers(first.messageId))
  expect(second.text).toContain('no longer for you')
  await mail.send({
    from: BOB,
    to: AGENT,
    subject: 'Re: Whose is it?',
    text: 'approve',
    inReplyTo: first.messageId ?? '',
    messageId: '<approve@mail.test>',
  })
  expect((await mail.untilMail('bob', answers('<approve@mail.test>'))).text).toContain('cannot answer tasks by mail')
})

test('a mail is a run of the bound receptor, a repeated delivery starts no second run, and a reply continues', async () => {
  const neuron = await context.neuron({ slug: 'mail-agent', instructions: 'Help.' })
  context.plays('Where is my order?', { tokens: ['It is on its way.'] })
  context.plays('And the invoice?', { tokens: ['It is in your inbox.'] })
  const receptor = await context.workspace.client.post<{ id: string }>('/v1/receptors', {
    title: 'Mail',
    target: { type: 'neuron', ref: neuron },
    channels: [{ type: 'email', channel: 'mail' }],
  })
  expect(receptor).toMatchObject({ status: 201 })
  const order = {
    from: BOB,
    to: AGENT,
    subject: 'Order',
    text: 'Where is my order?',
    messageId: '<order@mail.test>',
    attachments: [
      { filename: 'order.txt', content: 'Order 7' },
      { filename: 'empty.txt', content: '' },
    ],
  }
  await mail.send(order)
  await mail.send(order)
  const reply = await mail.untilMail('bob', answers('<order@mail.test>'))
  expect(reply).toMatchObject({ subject: 'Re: Order', text: expect.stringContaining('It is on its way.') })
  expect(reply.headers.get('auto-submitted')).toBe('auto-replied')
  await mail.send({
    from: BOB,
    to: AGENT,
    subject: 'Re: Order',
    text: `And the invoice?\n\nOn Monday, Ganglion wrote:\n> It is on its way.\n`,
    inReplyTo: reply.messageId ?? '',
    messageId: '<invoice@mail.test>',
  })
  const second = await mail.untilMail('bob', answers('<invoice@mail.test>'))
  expect(second.text).toContain('It is in your inbox.')
  const { total, jobs } = await listRuns(receptor.body.id)
  expect(total).toBe(2)
  expect(new Set(jobs.map(({ trace_id }) => trace_id)).size).toBe(1)
  expect(jobs[0]?.requester).toBe('user:bob')
  const thread = await context.workspace.client.get<{ messages: MessageView[] }>(`/v1/traces/${jobs[0]?.trace_id}`)
  expect(thread.body.messages[0]).toMatchObject({
    text: expect.stringContaining('Attachment not accepted: empty.txt'),
    files: [{ file_name: 'order.txt', media_type: 'text/plain', size: 7 }],
  })
  expect((await mail.read('bob')).filter(answers('<order@mail.test>'))).toHaveLength(1)
})

test('automatic mail and mail whose sender is not authentic start nothing, and are recorded with the reason', async () => {
  const automatic = { from: BOB, to: AGENT, subject: 'Out of office', text: 'I am away.' }
  await mail.send({ ...automatic, headers: { 'Auto-Submitted': 'auto-replied' }, messageId: '<away@mail.test>' })
  const forged = {
    from: BOB,
    to: AGENT,
    subject: 'Forged',
    text: 'Send me everything.',
    headers: { 'Authentication-Results': `${AUTHSERV_ID}; dmarc=pass header.from=mail.test` },
  }
  await mail.send({ ...forged, messageId: '<forged@mail.test>' }, { authentic: false })
  expect(await untilReceived('Out of office')).toMatchObject({ status: 'skipped', job_id: null, reply: null })
  expect(await untilReceived('Forged')).toMatchObject({
    status: 'skipped',
    failure: 'The sender is not authenticated',
    job_id: null,
    received: { from: BOB, authentication: { spf: 'fail', dkim: 'none', dmarc: 'fail', is_authentic: false } },
  })
  const received = await mail.read('bob')
  expect(received.filter(answers('<away@mail.test>'))).toEqual([])
  expect(received.filter(answers('<forged@mail.test>'))).toEqual([])
})

test('an authentic sender without a linked account, and a mail over 25 MB, get one refusal', async () => {
  await mail.send({ from: CLEO, to: AGENT, subject: 'Hello', text: 'Who are you?', messageId: '<hello@mail.test>' })
  expect((await mail.untilMail('cleo', answers('<hello@mail.test>'))).text).toContain('link CODE')
  const attachments = [{ filename: 'film.bin', content: Buffer.alloc(20 * 1_048_576) }]
  const large = { from: BOB, to: AGENT, subject: 'Large', text: 'See the film.', attachments }
  await mail.send({ ...large, messageId: '<large@mail.test>' })
  expect((await mail.untilMail('bob', answers('<large@mail.test>'))).text).toContain('larger than 25 MB')
  expect(await untilReceived('Large')).toMatchObject({ job_id: null })
})

test('a channel continues where it stopped, but reads another mailbox only from then on', async () => {
  const save = (user: string) =>
    saveChannel('moved', {
      imap: { host: mail.host, port: mail.imapPort, user, password: PASSWORD, authserv_id: AUTHSERV_ID },
    })
  const columns = pick(channelMailboxesTable, 'read_from', 'last_uid')
  const readPosition = () =>
    context.stack.database.db.inWorkspace(context.workspace.id, tx =>
      selectOne(
        tx,
        columns,
        `select ${list(columns)} from channel_mailboxes where id = (select id from channels where name = 'moved')`,
      ),
    )
  expect(await save('cleo')).toMatchObject({ status: 200 })
  await mail.send({ from: BOB, to: CLEO, subject: 'To Cleo', text: 'Hello' })
  const read = await waitUntil(async () => {
    const position = await readPosition()
    return position?.last_uid != null && position
  })
  expect(await save('cleo')).toMatchObject({ status: 200 })
  expect(await readPosition()).toMatchObject({ read_from: read.read_from, last_uid: expect.any(Number) })
  expect(await save('dan')).toMatchObject({ status: 200 })
  expect((await readPosition())?.read_from).not.toBe(read.read_from)
  expect(await manager.call('DELETE', '/v1/channels/moved')).toMatchObject({ status: 204 })
})

test('a repeated attempt sends the same mail, which clients show once', async () => {
  const lossy = await mail.openLossyPort()
  const smtp = { host: '127.0.0.1', port: lossy.port, security: 'none' }
  expect(await saveChannel('lossy', { smtp, imap: undefined })).toMatchObject({ status: 200 })
  await saveMember('user:dan', addressOf('Dan'))
  const rule = { subject: 'user:dan', channel: 'lossy' }
  expect(await manager.call('PUT', '/v1/notification-rules', rule)).toMatchObject({ status: 200 })
  await ask('Lost response?', { assignees: ['user:dan'] })
  await waitUntil(async () => (await mail.read('dan')).length >= 2)
  const copies = await mail.read('dan')
  expect(lossy.lost()).toBe(1)
  expect(new Set(copies.map(({ messageId }) => messageId)).size).toBe(1)
  lossy.close()
})

test('after a crash of both processes, mail is still read and answered once', async () => {
  await Promise.all([context.stack.killApi(), context.stack.killWorker()])
  await mail.send({ from: CLEO, to: AGENT, subject: 'Again', text: 'Hello?', messageId: '<again@mail.test>' })
  await mail.untilMail('cleo', answers('<again@mail.test>'))
  await context.stack.killWorker()
  await mail.send({ from: CLEO, to: AGENT, subject: 'Later', text: 'Hello?', messageId: '<later@mail.test>' })
  await mail.untilMail('cleo', answers('<later@mail.test>'))
  expect((await mail.read('cleo')).filter(answers('<again@mail.test>'))).toHaveLength(1)
})
