import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { OPERATOR } from '../../data/audit/audit-store.ts'
import { createMembers } from '../../services/access/members.ts'
import type { ChannelMessageView } from '../../contract/channels/channel-message.ts'
import { useOwnAgents } from '../support/agents/agents.ts'
import { addressOf, AUTHSERV_ID, buildEmailChannel, startMailServer } from '../support/channels/mail-server.ts'
import type { ApiClient } from '../support/clients/client.ts'
import { asked, askThenEnd, startRun } from '../support/runs/runs.ts'
import { waitUntil } from '../support/stack/process.ts'

/** The channel's mailbox receives the reports of mail servers, and mail that cannot be parsed. */

const AGENT = addressOf('agent')
/** The server accepts mail to this address, and then cannot deliver it. */
const UNKNOWN = addressOf('unknown')

const mail = await startMailServer()
const context = useOwnAgents({ EMAIL_POLL_SECONDS: '1', NODE_EXTRA_CA_CERTS: mail.certificate })
let manager: ApiClient

const readLog = async (): Promise<ChannelMessageView[]> =>
  (await manager.get<{ data: ChannelMessageView[] }>('/v1/channels/mail/messages?limit=100')).body.data

const untilReceived = (subject: string): Promise<ChannelMessageView> =>
  waitUntil(async () => (await readLog()).find(({ received }) => received?.subject === subject))

/** Sends a task to the address of a member. Resolves with the message when it has the status. */
async function sendTask(actor: string, address: string, status: string): Promise<ChannelMessageView> {
  const { client, id } = context.workspace
  const operator = { ...OPERATOR, workspace_id: id }
  await createMembers({ db: context.stack.database.db }).save(operator, { actor, role: 'reviewer', email: address })
  const rule = { subject: actor, channel: 'mail' }
  expect(await manager.call('PUT', '/v1/notification-rules', rule)).toMatchObject({ status: 200 })
  await asked(client, await startRun(client, askThenEnd('done', { title: `For ${actor}`, assignees: [actor] })))
  return waitUntil(async () =>
    (await readLog()).find(message => message.recipient === actor && message.status === status),
  )
}

/** Sends a report about a message, as another mail server writes it. */
const report = (subject: string, action: string, messageId: string | null) =>
  mail.send(
    {
      envelope: { from: '', to: AGENT },
      raw: [
        `From: Mail Delivery System <mail@${AUTHSERV_ID}>`,
        `To: ${AGENT}`,
        `Subject: ${subject}`,
        `Message-ID: <${randomUUID()}@${AUTHSERV_ID}>`,
        'MIME-Version: 1.0',
        'Content-Type: multipart/report; report-type=delivery-status; boundary=report',
        '',
        '--report',
        '',
        'About your message.',
        '--report',
        'Content-Type: message/delivery-status',
        '',
        `Reporting-MTA: dns; ${AUTHSERV_ID}`,
        '',
        `Action: ${action}`,
        'Final-Recipient: rfc822; bob@mail.test',
        'Status: 4.4.1',
        '--report',
        'Content-Type: text/rfc822-headers',
        '',
        `Message-ID: ${messageId}`,
        '--report--',
        '',
      ].join('\r\n'),
    },
    { authentic: false },
  )

beforeAll(async () => {
  manager = await context.workspace.permittedTo('access:manage', 'interventions:read')
  expect(await manager.call('PUT', '/v1/channels', buildEmailChannel(mail, 'mail'))).toMatchObject({ status: 200 })
})
afterAll(() => mail.close())

test("a server's report that a mail was not delivered makes its message fail, with the reason", async () => {
  const { failure, external_id } = await sendTask('user:una', UNKNOWN, 'failed')
  expect(failure).toContain(`The mail to ${UNKNOWN} was not delivered: 5.0.0`)
  expect(external_id).not.toBeNull()
  const { body } = await manager.get<{ status: string }>('/v1/channels/mail')
  expect(body.status).toBe('connected')
})

test('a report about a delay, or about another message, changes nothing, and no report gets a reply', async () => {
  const { id, external_id } = await sendTask('user:bob', addressOf('bob'), 'sent')
  await report('Delayed', 'delayed', external_id)
  await report('Guessed', 'failed', `<${randomUUID()}.0123456789abcdef@mail.test>`)
  for (const subject of ['Delayed', 'Guessed'])
    expect(await untilReceived(subject)).toMatchObject({
      status: 'skipped',
      failure: 'Delivery report',
      reply: null,
      job_id: null,
    })
  expect((await readLog()).find(message => message.id === id)).toMatchObject({ status: 'sent', failure: null })
  await report('Failed', 'failed', external_id)
  await untilReceived('Failed')
  expect((await readLog()).find(message => message.id === id)).toMatchObject({
    status: 'failed',
    failure: 'The mail to bob@mail.test was not delivered: 4.4.1',
  })
})

test('a mail that cannot be parsed is recorded, and the mail after it is read', async () => {
  const parts = Array.from({ length: 2_000 }, () => '--part\r\n\r\nText')
  const headers = [
    `From: ${addressOf('bob')}`,
    `To: ${AGENT}`,
    'Subject: Unreadable',
    'Content-Type: multipart/mixed; boundary=part',
  ]
  const raw = [...headers, '', ...parts, '--part--', ''].join('\r\n')
  await mail.send({ envelope: { from: addressOf('bob'), to: AGENT }, raw })
  await mail.send({ from: addressOf('cleo'), to: AGENT, subject: 'Next', text: 'Hello', messageId: '<next@mail.test>' })
  await untilReceived('Next')
  expect(await untilReceived('Unreadable')).toMatchObject({
    status: 'skipped',
    failure: 'The mail is not readable',
    recipient: addressOf('bob'),
    received: { from: addressOf('bob') },
  })
})

test('a mail with text that cannot be stored, or that cannot be processed, is recorded and does not stop the mailbox', async () => {
  const bob = addressOf('bob')
  const send = (from: string, subject: string) =>
    mail.send({ envelope: { from: bob, to: AGENT }, raw: `From: ${from}\r\nSubject: ${subject}\r\n\r\nHello` })
  // Each encodes a character that Postgres cannot store.
  await send('=?utf-8?q?a=00b?=@mail.test', 'NUL')
  await send(bob, '=?utf-16le?B?ANg=?= surrogate')
  const owner = new Client({ connectionString: context.stack.database.adminUrl })
  await owner.connect()
  await owner.query(
    `alter table channel_messages
       add constraint broken check (reply is null or received ->> 'subject' is distinct from 'Broken') not valid`,
  )
  await owner.end()
  await send(bob, 'Broken')
  await send(bob, 'After')
  expect(await untilReceived('After')).toMatchObject({ reply: expect.any(String) })
  expect(await untilReceived('NUL')).toMatchObject({
    status: 'skipped',
    failure: 'The sender is not authenticated',
    received: { from: '' },
  })
  expect(await untilReceived('\ufffd surrogate')).toMatchObject({ received: { from: bob } })
  expect(await untilReceived('Broken')).toMatchObject({
    status: 'skipped',
    failure: expect.stringContaining('could not be processed'),
    reply: null,
  })
})
