import type { ParsedMail } from 'mailparser'
import type { MessageView } from '../../contract/agents/thread.ts'
import type { ChannelView } from '../../contract/channels/channel.ts'
import type { ChannelMessageView } from '../../contract/channels/channel-message.ts'
import type { NotificationView } from '../../contract/channels/notification.ts'
import { execute } from '../../data/shared/statements.ts'
import type { InterventionView } from '../../contract/people/intervention.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { signInAs } from '../support/access/sign-in.ts'
import { useOwnAgents } from '../support/agents/agents.ts'
import { addressOf, buildEmailChannel, startMailServer } from '../support/channels/mail-server.ts'
import type { ApiClient } from '../support/clients/client.ts'
import { pathway } from '../support/runs/runs.ts'
import { waitUntil } from '../support/stack/process.ts'

/** People without an account write to a receptor that answers anyone. They act like visitors with a share token. */

const AGENT = addressOf('agent')
const [CLEO, DAN] = ['cleo', 'dan'] as const

const mail = await startMailServer()
const context = useOwnAgents({ EMAIL_POLL_SECONDS: '1', NODE_EXTRA_CA_CERTS: mail.certificate })
let manager: ApiClient
let receptorId: string

const channels = [{ type: 'email', channel: 'support', senders: 'anyone' }]

/** Sends a mail of a guest, and resolves with the reply to it. */
async function write(guest: string, id: string, fields: JsonObject & { text: string }): Promise<ParsedMail> {
  await mail.send({ from: addressOf(guest), to: AGENT, subject: id, messageId: `<${id}@mail.test>`, ...fields })
  return mail.untilMail(guest, ({ inReplyTo }) => inReplyTo === `<${id}@mail.test>`)
}

const replyTo = ({ messageId = '' }: ParsedMail) => ({ inReplyTo: messageId, references: messageId })

/** Resolves with the mail after another one in a guest's thread. */
const untilNext = (guest: string, id: string, before: ParsedMail): Promise<ParsedMail> =>
  mail.untilMail(
    guest,
    ({ inReplyTo, messageId }) => inReplyTo === `<${id}@mail.test>` && messageId !== before.messageId,
  )

const untilReceived = (subject: string): Promise<ChannelMessageView> =>
  waitUntil(async () => {
    const { body } = await manager.get<{ data: ChannelMessageView[] }>('/v1/channels/support/messages?limit=100')
    return body.data.find(({ received }) => received?.subject === subject)
  })

const readJob = async (jobId: string | null) =>
  (await context.workspace.client.get<{ trace_id: string; requester: string }>(`/v1/jobs/${jobId}`)).body

const aim = async (target: { type: string; ref: string }): Promise<unknown> =>
  expect(await context.workspace.client.patch(`/v1/receptors/${receptorId}`, { target })).toMatchObject({ status: 200 })

beforeAll(async () => {
  const { client } = context.workspace
  manager = await context.workspace.permittedTo('access:manage')
  expect(await manager.call('PUT', '/v1/channels', buildEmailChannel(mail, 'support'))).toMatchObject({ status: 200 })
  await client.post('/v1/reflexes', { title: 'Asks', slug: 'asks', source: 'builtin', tools: [{ name: 'ask_human' }] })
  await context.neuron({ slug: 'support', neuron_type: 'agent', tools: [{ reflex: 'asks' }] })
  const target = { type: 'neuron', ref: 'support' }
  const created = await client.post<{ id: string }>('/v1/receptors', { title: 'Support', target, channels })
  expect(created).toMatchObject({ status: 201, body: { channels } })
  receptorId = created.body.id
})
afterAll(() => mail.close())

test('only an author who may share a receptor opens it to anyone, and the channel shows that it is open', async () => {
  const { client } = context.workspace
  const author = await context.workspace.permittedTo('resources:read', 'resources:write')
  const save = (by: ApiClient, senders: string) =>
    by.patch(`/v1/receptors/${receptorId}`, { channels: [{ ...channels[0], senders }] })
  expect(await save(client, 'everybody')).toMatchObject({
    status: 400,
    body: { details: [{ pointer: '/channels/0/senders' }] },
  })
  expect(await save(author, 'anyone')).toMatchObject({ status: 403 })
  const { body } = await manager.get<ChannelView>('/v1/channels/support')
  expect(body.receptors).toMatchObject([{ id: receptorId, senders: 'anyone' }])
})

test("a guest's mail is a run of a visitor, with the attachments, and a reply continues the thread", async () => {
  context.plays('Where is my order?', { tokens: ['It is on its way.'] })
  context.plays('And the invoice?', { tokens: ['It is in your inbox.'] })
  const attachments = [{ filename: 'order.txt', content: 'Order 7' }]
  const first = await write(CLEO, 'order', { text: 'Where is my order?', attachments })
  expect(first.text).toContain('It is on its way.')
  expect((await write(CLEO, 'invoice', { text: 'And the invoice?', ...replyTo(first) })).text).toContain(
    'in your inbox',
  )
  const [order, invoice] = [await untilReceived('order'), await untilReceived('invoice')]
  expect(order).toMatchObject({ recipient: `guest:${addressOf(CLEO)}`, conversation: addressOf(CLEO) })
  const [run, next] = [await readJob(order.job_id), await readJob(invoice.job_id)]
  expect(run.requester).toBe(`guest:${addressOf(CLEO)}`)
  expect(next.trace_id).toBe(run.trace_id)
  const thread = await context.workspace.client.get<{ messages: MessageView[] }>(`/v1/traces/${run.trace_id}`)
  expect(thread.body.messages[0]).toMatchObject({ files: [{ file_name: 'order.txt', media_type: 'text/plain' }] })
  const path = `/v1/activity?actor=guest:${addressOf(CLEO)}`
  const { body } = await (
    await context.workspace.permittedTo('activity:read')
  ).get<{ data: { action: string }[] }>(path)
  expect(body.data.map(({ action }) => action)).toEqual(expect.arrayContaining(['trace.create', 'file.create']))
})

test("nobody continues another guest's thread or answers for a guest whose mail is not authentic", async () => {
  context.plays('What is my code?', { tokens: ['Your code is 1234.'] })
  context.plays('Repeat it', { tokens: ['There is nothing to repeat.'] })
  const first = await write(CLEO, 'code', { text: 'What is my code?' })
  const references = ['<code@mail.test>', first.messageId ?? '']
  await write(DAN, 'repeat', { text: 'Repeat it', inReplyTo: first.messageId ?? '', references })
  const [own, other] = [await untilReceived('code'), await untilReceived('repeat')]
  expect((await readJob(other.job_id)).trace_id).not.toBe((await readJob(own.job_id)).trace_id)
  const forged = { from: addressOf(CLEO), to: AGENT, subject: 'forged', text: 'Repeat it', ...replyTo(first) }
  await mail.send({ ...forged, messageId: '<forged@mail.test>' }, { authentic: false })
  expect(await untilReceived('forged')).toMatchObject({ status: 'skipped', job_id: null, reply: null })
})

test('a question of the agent is a reply, and only an answer to it continues the run', async () => {
  const question = 'Which gate do you mean?'
  context.plays(
    'the gate',
    { calls: [{ name: 'ask_human', args: { question } }] },
    { tokens: ['The north gate opens at nine.'] },
  )
  const asked = await write(CLEO, 'gate', { text: 'When does the gate open?' })
  expect(asked.text).toContain(question)
  expect(asked.text).toContain('Reply to this mail with your answer')
  const early = await write(CLEO, 'early', {
    text: 'Hello?',
    inReplyTo: '<gate@mail.test>',
    references: '<gate@mail.test>',
  })
  expect(early.text).toContain('Reply to the mail that contains the question')
  await mail.send({
    from: addressOf(CLEO),
    to: AGENT,
    subject: 'answer',
    text: `The north gate\n\nOn Monday, Ganglion wrote:\n> ${question}\n`,
    messageId: '<answer@mail.test>',
    ...replyTo(asked),
  })
  expect((await untilNext(CLEO, 'gate', asked)).text).toContain('The north gate opens at nine.')
  expect(await untilReceived('answer')).toMatchObject({ status: 'skipped', failure: null, job_id: null, reply: null })
  const { job_id } = await untilReceived('gate')
  const path = `/v1/interventions?job_id=${job_id}&status=decided`
  const { body } = await context.workspace.client.get<{ data: InterventionView[] }>(path)
  expect(body.data[0]?.decision).toMatchObject({
    by: `guest:${addressOf(CLEO)}`,
    answers: { answer: 'The north gate' },
  })
})

test('a guest whose pending answer is rejected later gets one reply, which does not name who decided', async () => {
  const question = 'Which day suits you?'
  context.plays('the visit', { calls: [{ name: 'ask_human', args: { question } }] }, { tokens: ['See you then.'] })
  const asked = await write(CLEO, 'visit', { text: 'When is the visit?' })
  const answer = { from: addressOf(CLEO), to: AGENT, subject: 'day', text: 'Monday', ...replyTo(asked) }
  await mail.send({ ...answer, messageId: '<day@mail.test>' })
  await untilNext(CLEO, 'visit', asked)
  const { job_id } = await untilReceived('visit')
  // No worker was available when another answer arrived.
  const late = { action: 'answer_questions', answers: { answer: 'Tuesday' } }
  await context.stack.database.db.inWorkspace(context.workspace.id, tx =>
    execute(
      tx,
      `insert into pending_answers (intervention_id, update_id, job_id, actor, input, due_at)
       select task.id, 'late', task.job_id, $1,
              ($2::jsonb || jsonb_build_object('interventionId', task.id, 'by', jsonb_build_object('actor', $1::text,
                'groups', '[]'::jsonb, 'people', jsonb_build_array($1::text),
                'via', jsonb_build_object('key_id', 'channel:' || channels.id))))::json, now()
         from interventions task, channels where task.job_id = $3 and channels.name = 'support'`,
      [`guest:${addressOf(CLEO)}`, JSON.stringify(late), job_id],
    ),
  )
  const report = await mail.untilMail(CLEO, ({ text = '' }) => text.includes('was not accepted'))
  expect(report).toMatchObject({ inReplyTo: '<day@mail.test>', subject: 'Re: day' })
  expect(report.text).toContain('The question is closed.')
})

test('a task that a guest cannot answer by mail notifies the people behind the channel, once', async () => {
  const { stack, workspace } = context
  const ann = await signInAs(stack, workspace, 'user:ann', 'admin')
  const form = { type: 'object', required: ['photo'], properties: { photo: { type: 'string', format: 'file' } } }
  const nodes = [
    { id: 'photo', type: 'human', kind: 'form', title: 'Photo of the damage', form, assignees: ['${run.requester}'] },
    { id: 'done', type: 'end', output: 'Thank you' },
  ]
  const definition = pathway(nodes, 'photo.submit_input > done')
  const { body } = await workspace.client.post<{ id: string }>('/v1/pathways', { title: 'Damage', definition })
  await aim({ type: 'pathway', ref: body.id })
  const asked = await write(DAN, 'damage', { text: 'My window is broken.' })
  expect(asked.text).toContain('This cannot be answered by mail')
  const list = async () => {
    const { body } = await ann.send('GET', '/v1/notifications')
    const { data } = body as unknown as { data: NotificationView[] }
    return data.filter(({ type }) => type === 'intervention.unanswerable')
  }
  await waitUntil(async () => (await list()).length > 0)
  expect((await write(DAN, 'again', { text: 'Hello?', ...replyTo(asked) })).text).toContain('cannot be answered')
  expect(await list()).toMatchObject([{ title: 'A guest cannot answer by email: Photo of the damage' }])
})

test('a workflow asks one thing after the other: an option, then the fields of a form', async () => {
  const ask = { type: 'human', assignees: ['${run.requester}'] }
  const questions = [{ id: 'size', text: 'Which size?', options: ['Small', 'Large'] }]
  const properties = { policy: { type: 'string', title: 'Policy', pattern: '^P-' }, amount: { type: 'number' } }
  const form = { type: 'object', required: ['policy', 'amount'], properties }
  const nodes = [
    { ...ask, id: 'size', kind: 'questions', title: 'Size', questions },
    { ...ask, id: 'claim', kind: 'form', title: 'Your claim', form },
    { id: 'done', type: 'end', output: { text: 'Paid ${nodes.claim.output.data.amount} EUR.' } },
  ]
  const edges = ['size.answer_questions > claim', 'size.decline_questions > claim', 'claim.submit_input > done']
  const { body } = await context.workspace.client.post<{ id: string }>('/v1/pathways', {
    title: 'Claim',
    definition: pathway(nodes, ...edges),
  })
  await aim({ type: 'pathway', ref: body.id })
  const size = await write(DAN, 'claim', { text: 'My bike was stolen.' })
  expect(size.text).toContain('- Small\n- Large')
  expect((await write(DAN, 'huge', { text: 'Huge', ...replyTo(size) })).text).toContain('- Small\n- Large')
  const answer = { from: addressOf(DAN), to: AGENT, subject: 'large', text: 'large', ...replyTo(size) }
  await mail.send({ ...answer, messageId: '<large@mail.test>' })
  const fields = await untilNext(DAN, 'claim', size)
  expect(fields.text).toContain('1. Policy\n2. amount')
  const wrong = await write(DAN, 'wrong', { text: '1. 1234\n2. 900', ...replyTo(fields) })
  expect(wrong.text).toContain('The answer was not accepted')
  await mail.send({
    ...answer,
    subject: 'right',
    text: '1. P-1234\n2. 900',
    ...replyTo(fields),
    messageId: '<right@mail.test>',
  })
  const last = await mail.untilMail(DAN, ({ text = '' }) => text.includes('Paid 900 EUR.'))
  expect(last.inReplyTo).toBe('<claim@mail.test>')
})
