import { randomUUID } from 'node:crypto'
import { insertReply, listMessages } from '../../../data/channels/channel-messages-store.ts'
import { saveChannel } from '../../../data/channels/channels-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { ChannelError, type Shown } from '../../../services/channels/channel-type.ts'
import { createShowMessage } from '../../../services/channels/show-message.ts'
import { createEncryption } from '../../../services/shared/encryption/encryption.ts'
import { API_KEY_SECRET, createPrincipal } from '../../support/shared/workspace.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Creates a message in a channel. `show` is the service's part of an attempt. */
async function createMessage(show: () => Promise<Shown>) {
  const { db } = database
  const { workspace_id } = await createPrincipal(db)
  const inside = <T>(work: (tx: Tx) => Promise<T>) => db.inWorkspace(workspace_id, work)
  const encryption = createEncryption(API_KEY_SECRET, 'channel credentials')
  const channel_id = randomUUID()
  const list = () => inside(tx => listMessages(tx, { channel_id, limit: 1, offset: 0 }))
  await inside(async tx => {
    const settings = { host: 'teams.test' }
    const credentials = encryption.encrypt('{}', channel_id)
    await saveChannel(tx, { id: channel_id, name: 'mail', type: 'teams', settings, credentials, actor: 'user:ann' })
    const place = { recipient: 'user:ann', conversation: 'ann@example.com', thread: null, received: null }
    await insertReply(tx, { channel_id, intervention_id: 'task', ...place, reply: 'Hello' })
  })
  const showIn = { slack: show, teams: show, email: show, web_push: show }
  const showMessage = createShowMessage({ db, encryption, showIn })
  const [message] = (await list()).rows
  return {
    attempt: () => showMessage(workspace_id, message?.id ?? '', new AbortController().signal),
    read: async () => (await list()).rows[0],
  }
}

test('a message that has waited often has all attempts left when the service fails', async () => {
  let result: () => Promise<Shown> = () => Promise.resolve('waiting')
  const { attempt, read } = await createMessage(() => result())
  for (let i = 0; i < 10; i++) await attempt()
  expect(await read()).toMatchObject({ status: 'pending', attempts: 0 })
  result = () => Promise.reject(new ChannelError({ message: 'SMTP: the server returned 451', isRetryable: true }))
  await attempt()
  expect(await read()).toMatchObject({ status: 'pending', attempts: 1, failure: 'SMTP: the server returned 451' })
})
