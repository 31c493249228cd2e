import { randomBytes } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import proto from '@temporalio/proto'
import { createMembers } from '../../../services/access/members.ts'
import { createSessions } from '../../../services/access/credentials/sessions.ts'
import { createBrowser } from '../../support/clients/browser.ts'
import { answer, asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { type Stack, startStack, type TestWorkspace } from '../../support/stack/stack.ts'

/** Runs whose payloads in Temporal are encrypted. Each test builds on the previous one. */

const { History } = proto.temporal.api.history.v1
const MARKER = 'the quarterly numbers of Nimbus'

const keys = { old: randomBytes(32).toString('base64'), new: randomBytes(32).toString('base64') }
const settings = (id: string, known: Partial<typeof keys>) => ({
  TEMPORAL_ENCRYPTION_KEYS: JSON.stringify(known),
  TEMPORAL_ENCRYPTION_KEY_ID: id,
})

let stack: Stack
let workspace: TestWorkspace
let jobId: string

beforeAll(async () => {
  stack = await startStack({ env: settings('old', { old: keys.old }) })
  workspace = await stack.workspace({ actor: 'user:ann' })
})
afterAll(() => stack?.stop())

/** Reads the stored Temporal history as text. */
async function readHistory(id: string): Promise<string> {
  const connection = await Connection.connect({ address: stack.env.TEMPORAL_ADDRESS })
  const history = await new Client({ connection, namespace: stack.env.TEMPORAL_NAMESPACE }).workflow
    .getHandle(id)
    .fetchHistory()
  await connection.close()
  return Buffer.from(History.encode(history).finish()).toString('latin1')
}

test("a run's history contains no part of its input, and the run works as usual", async () => {
  const human = { id: 'ask', type: 'human', kind: 'approval', title: 'Go on?', context: '${input.text}' }
  const definition = pathway(
    [human, { id: 'done', type: 'end', output: '${input.text}' }],
    'ask.approve > done',
    'ask.reject > done',
  )
  jobId = await startRun(workspace.client, definition, { text: MARKER })
  await jobWith(workspace.client, jobId, 'waiting')
  const history = await readHistory(jobId)
  expect(history).toContain('binary/encrypted')
  expect(history).not.toContain(MARKER)
})

test('a run continues after a key rotation', async () => {
  Object.assign(stack.env, settings('new', keys))
  await Promise.all([stack.api.end(), stack.worker.end()])
  await Promise.all([stack.restartApi(), stack.restartWorker()])
  const [open] = await asked(workspace.client, jobId)
  await answer(workspace.client, workspace.id, jobId, open?.interventionId ?? '', { action: 'approve' })
  expect(await jobWith(workspace.client, jobId)).toMatchObject({ status: 'completed', result: MARKER })
  expect(await readHistory(jobId)).not.toContain(MARKER)
})

test('the Temporal UI shows payloads to an operator, but not to others', async () => {
  stack.env.OPERATORS_WORKSPACE = workspace.slug
  await stack.api.end()
  await stack.restartApi()
  const other = await stack.workspace()
  const { db } = stack.database
  const [members, sessions] = [
    createMembers({ db }),
    createSessions({ db, secret: stack.env.API_KEY_SECRET ?? '', hours: 1 }),
  ]
  const open = async (workspace_id: string, role: 'operator' | 'builder') => {
    const operator = { workspace_id, actor: 'operator', person: 'operator', key_id: 'cli' }
    await members.save(operator, { actor: `user:${role}`, role })
    const { token } = await sessions.createLink(operator, `user:${role}`)
    const browser = createBrowser(stack.baseUrl)
    await browser.openLink(token)
    return browser
  }
  const connection = await Connection.connect({ address: stack.env.TEMPORAL_ADDRESS })
  const { events } = await new Client({ connection, namespace: stack.env.TEMPORAL_NAMESPACE }).workflow
    .getHandle(jobId)
    .fetchHistory()
  await connection.close()
  const [input] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? []
  const toText = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64')
  const metadata = Object.fromEntries(
    Object.entries(input?.metadata ?? {}).map(([name, value]) => [name, toText(value)]),
  )
  const body = { payloads: [{ metadata, data: toText(input?.data) }] }
  const decode = async (browser: Awaited<ReturnType<typeof open>>) =>
    browser.send('POST', '/v1/temporal/codec/decode', body)

  const shown = await decode(await open(workspace.id, 'operator'))
  expect(shown.status).toBe(200)
  const [payload] = (shown.body as unknown as { payloads: { data: string }[] }).payloads
  expect(Buffer.from(payload?.data ?? '', 'base64').toString()).toContain(MARKER)
  expect((await decode(await open(workspace.id, 'builder'))).status).toBe(403)
  expect((await decode(await open(other.id, 'operator'))).status).toBe(403)
})
