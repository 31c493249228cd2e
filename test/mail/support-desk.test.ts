import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { OPERATOR } from '../../data/audit/audit-store.ts'
import { createMembers } from '../../services/access/members.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { useOwnAgents } from '../support/agents/agents.ts'
import { addressOf, buildEmailChannel, startMailServer } from '../support/channels/mail-server.ts'
import { startSlackServer } from '../support/channels/slack-server.ts'
import { openSlackWorkspace, textOf, USERS } from '../support/channels/slack-workspace.ts'
import { startHttpServer } from '../support/stack/http-server.ts'

/** The example `support-desk`, whose gateway is bound to a mailbox, and whose team works in Slack. */

const FOLDER = join(import.meta.dirname, '../../examples/support-desk')
const SUPPORT = addressOf('agent')

const mail = await startMailServer()
const slack = await startSlackServer()
const shop = await startHttpServer((request, response) => {
  const order = { order_number: request.url?.split('/').at(-1), summary: 'It arrives on 4 December.' }
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(order))
})
const context = useOwnAgents({
  SLACK_API_URL: slack.url,
  EMAIL_POLL_SECONDS: '1',
  NODE_EXTRA_CA_CERTS: mail.certificate,
})
afterAll(() => Promise.all([mail.close(), slack.close(), shop.close()]))

/** Reads the definitions of a file of the example. They call the shop of this test. */
const readDefinitions = (name: string): (JsonObject & { kind: string })[] => {
  const text = readFileSync(join(FOLDER, name), 'utf8').replaceAll('127.0.0.1:4010', new URL(shop.url).host)
  return parseAllDocuments(text).map(document => document.toJS() as JsonObject & { kind: string })
}

async function apply(name: string): Promise<void> {
  for (const { kind, ...fields } of readDefinitions(name)) {
    const path = `/v1/${kind === 'reflex' ? 'reflexes' : `${kind}s`}`
    const { client } = context.workspace
    const exists = (await client.get(`${path}/${fields['slug'] as string}`)).status === 200
    const saved = exists
      ? await client.patch(`${path}/${fields['slug'] as string}`, fields)
      : await client.post(path, fields)
    expect(saved).toMatchObject({ status: exists ? 200 : 201 })
  }
}

test('a customer is asked for the order and answered by mail, and a person of the team replies from Slack', async () => {
  const support = await openSlackWorkspace(slack, context)
  await createMembers({ db: context.stack.database.db }).save(
    { ...OPERATOR, workspace_id: context.workspace.id },
    { actor: 'user:bob', role: 'reviewer', groups: ['group:support'] },
  )
  expect(await support.manager.call('PUT', '/v1/channels', buildEmailChannel(mail, 'support-mail'))).toMatchObject({
    status: 200,
  })
  await apply('definitions.yaml')
  await apply('channels.yaml')
  context.plays('Where is my order?', { tokens: ['{"topic":"order"}'] })
  context.plays('I want to talk to a person.', { tokens: ['{"topic":"person"}'] })
  context.plays(
    'Order number:',
    { calls: [{ name: 'find_order', args: { order_number: 'A-1042' } }] },
    { tokens: ['Your order arrives on 4 December.'] },
  )

  const written = { from: addressOf('cleo'), to: SUPPORT }
  await mail.send({ ...written, subject: 'Order', text: 'Where is my order?', messageId: '<order@mail.test>' })
  const question = await mail.untilMail('cleo', ({ text = '' }) => text.includes('What is your order number?'))
  const { messageId: asked = '' } = question
  const reply = { ...written, subject: 'Re: Order', inReplyTo: asked, references: asked }
  await mail.send({ ...reply, text: 'A-1042', messageId: '<number@mail.test>' })
  const answer = await mail.untilMail('cleo', ({ text = '' }) => text.includes('arrives on 4 December'))
  expect(answer.inReplyTo).toBe('<order@mail.test>')

  const { messageId: answered = '' } = answer
  const again = { ...written, subject: 'Re: Order', inReplyTo: answered, references: answered }
  await mail.send({ ...again, text: 'I want to talk to a person.', messageId: '<person@mail.test>' })
  const toBob = await slack.untilMessage(
    ({ channel, blocks }) =>
      channel === slack.directOf(USERS['user:bob']) && textOf(blocks).includes('A customer needs a person'),
  )
  await support.click(USERS['user:bob'], toBob, 'open_form')
  const { view } = slack.views.at(-1) ?? {}
  const submitted = await support.submit(USERS['user:bob'], view, { reply: { value: 'Hello, this is Bob.' } })
  expect(submitted).toMatchObject({ body: { response_action: 'clear' } })
  const last = await mail.untilMail('cleo', ({ text = '' }) => text.includes('Hello, this is Bob.'))
  expect(last.inReplyTo).toBe('<person@mail.test>')
})
