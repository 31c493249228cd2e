import type { ChannelView } from '../../contract/channels/channel.ts'
import { useOwnAgents } from '../support/agents/agents.ts'
import { addressOf, buildEmailChannel, startMailServer } from '../support/channels/mail-server.ts'
import { pathway } from '../support/runs/runs.ts'
import { startHttpServer } from '../support/stack/http-server.ts'
import { waitUntil } from '../support/stack/process.ts'

/** The plan allows only one running run. A run that waits for an answer doesn't count. */

const AGENT = addressOf('agent')

const mail = await startMailServer()
const released = Promise.withResolvers<void>()
const shop = await startHttpServer((_request, response) => {
  void released.promise.then(() => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'))
})
const context = useOwnAgents({
  EMAIL_POLL_SECONDS: '1',
  NODE_EXTRA_CA_CERTS: mail.certificate,
  PLANS: JSON.stringify({ standard: { requests_per_minute: 1_000_000, runs_in_flight: 1 } }),
})
afterAll(() => Promise.all([mail.close(), shop.close()]))

const write = (guest: string, id: string, fields: { text: string; inReplyTo?: string }) =>
  mail.send({ from: addressOf(guest), to: AGENT, subject: id, messageId: `<${id}@mail.test>`, ...fields })

const untilReply = (guest: string, id: string, text: string) =>
  mail.untilMail(guest, reply => reply.inReplyTo === `<${id}@mail.test>` && reply.text?.includes(text) === true)

test('mail waits until the plan allows another run, and does not delay answers to open tasks', async () => {
  const { client } = context.workspace
  const manager = await context.workspace.permittedTo('access:manage')
  expect(await manager.call('PUT', '/v1/channels', buildEmailChannel(mail, 'support'))).toMatchObject({ status: 200 })
  const ask = { id: 'ask', type: 'human', kind: 'approval', title: 'Book it?', assignees: ['${run.requester}'] }
  const nodes = [
    ask,
    { id: 'book', type: 'http', idempotent: true, with: { url: shop.url } },
    { id: 'booked', type: 'end', output: 'Booked.' },
    { id: 'dropped', type: 'end', output: 'Dropped.' },
  ]
  const definition = pathway(nodes, 'ask.approve > book', 'book > booked', 'ask.reject > dropped')
  const { status, body } = await client.post<{ id: string }>('/v1/pathways', { title: 'Booking', definition })
  expect(status).toBe(201)
  const receptor = {
    title: 'Support',
    target: { type: 'pathway', ref: body.id },
    channels: [{ type: 'email', channel: 'support', senders: 'anyone' }],
  }
  expect(await client.post('/v1/receptors', receptor)).toMatchObject({ status: 201 })
  const untilChannel = (fits: (channel: ChannelView) => boolean) =>
    waitUntil(async () => fits((await manager.get<ChannelView>('/v1/channels/support')).body))

  await write('cleo', 'first', { text: 'A table for two' })
  const first = await untilReply('cleo', 'first', 'Book it?')
  await write('dan', 'second', { text: 'A table for six' })
  const second = await untilReply('dan', 'second', 'Book it?')
  await write('dan', 'approval', { text: 'approve', inReplyTo: second.messageId ?? '' })
  await waitUntil(async () => {
    const { jobs } = (await client.get<{ jobs: { status: string }[] }>('/v1/jobs')).body
    return jobs.some(({ status }) => status === 'running')
  })
  await write('bob', 'third', { text: 'A table for ten' })
  await untilChannel(({ failure }) => failure?.includes('no more open runs') === true)
  await write('cleo', 'rejection', { text: 'reject', inReplyTo: first.messageId ?? '' })
  await untilReply('cleo', 'first', 'Dropped.')
  released.resolve()
  await untilReply('dan', 'second', 'Booked.')
  await untilReply('bob', 'third', 'Book it?')
  await untilChannel(({ failure }) => failure === null)
})
