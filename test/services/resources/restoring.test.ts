import { randomUUID } from 'node:crypto'
import { OPERATOR } from '../../../data/audit/audit-store.ts'
import { execute } from '../../../data/shared/statements.ts'
import { Forbidden, NotFound, ValidationError } from '../../../domain/shared/errors.ts'
import { createMembers } from '../../../services/access/members.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { createSpine } from '../../support/resources/spine.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'

let database: TestDatabase
let resources: ReturnType<typeof createSpine>['resources']
let ann: Awaited<ReturnType<typeof createPrincipal>>

const target = { type: 'neuron', ref: 'porter' }

beforeAll(async () => {
  database = await createTestDatabase()
  ;({ resources } = createSpine(database.db))
  ann = await createPrincipal(database.db)
  const document = { model: 'builtin:extractive', instructions: 'Answer.' }
  await resources.create(ann, 'neurons', { title: 'Porter', slug: 'porter', document })
})
afterAll(() => database.drop())

/** Adds an email channel. Returns a function that creates a receptor for its mail. */
async function openMailbox() {
  const channel = randomUUID()
  await database.db.inWorkspace(ann.workspace_id, tx =>
    execute(
      tx,
      `insert into channels (id, name, type, settings, credentials, created_by, updated_by)
       values ($1::uuid, $1, 'email', '{}', '', 'user:ann', 'user:ann')`,
      [channel],
    ),
  )
  const channels = (senders: string) => [{ type: 'email', channel, senders }]
  return (senders = 'members') =>
    resources.create(ann, 'receptors', { title: 'Mail', document: { target, channels: channels(senders) } })
}

test('a receptor that anyone may write to is restored only by those who may share receptors', async () => {
  const createReceptor = await openMailbox()
  const { id } = await createReceptor('anyone')
  await resources.remove(ann, 'receptors', id)
  const builder = { ...ann, permissions: new Set(['resources:read', 'resources:write'] as const) }
  await expect(resources.restore(builder, 'receptors', id)).rejects.toThrow(Forbidden)
  await expect(resources.read(ann, 'receptors', id)).rejects.toThrow(NotFound)
  expect(await resources.restore(ann, 'receptors', id)).toMatchObject({ id, deleted_at: null })
})

test('a receptor is not restored while another one answers its messages', async () => {
  const createReceptor = await openMailbox()
  const first = await createReceptor()
  await resources.remove(ann, 'receptors', first.id)
  const second = await createReceptor()
  await expect(resources.restore(ann, 'receptors', first.id)).rejects.toThrow(ValidationError)
  await resources.remove(ann, 'receptors', second.id)
  expect(await resources.restore(ann, 'receptors', first.id)).toMatchObject({ deleted_at: null })
})

test('only one of several receptors that are saved at once answers the messages of a channel', async () => {
  const createReceptor = await openMailbox()
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => createReceptor()))
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', ...Array<string>(4).fill('rejected')])
})

test('a resource whose references are gone is restored', async () => {
  const guide = await resources.create(ann, 'neurons', {
    title: 'Guide',
    slug: 'guide',
    document: { model: 'builtin:extractive', instructions: 'Answer.' },
  })
  const document = { target: { type: 'neuron', ref: 'guide' } }
  const { id } = await resources.create(ann, 'receptors', { title: 'Desk', document })
  await resources.remove(ann, 'neurons', guide.id)
  await resources.remove(ann, 'receptors', id)
  expect(await resources.restore(ann, 'receptors', id)).toMatchObject({ deleted_at: null })
})

test('a deleted trigger of a former member is restored as paused', async () => {
  const members = createMembers({ db: database.db })
  const operator = { ...OPERATOR, workspace_id: ann.workspace_id }
  await members.save(operator, { actor: 'user:leo', role: 'builder' })
  const leo = { ...ann, actor: 'user:leo', person: 'user:leo', people: ['user:leo'] }
  const document = { trigger_type: 'manual', target, input: { message: 'Hello' } }
  const { id } = await resources.create(leo, 'triggers', { title: 'Leos', document })
  await resources.remove(leo, 'triggers', id)
  expect(await members.remove(operator, 'user:leo')).toMatchObject({ switched_off: [] })
  expect(await resources.restore(ann, 'triggers', id)).toMatchObject({
    deleted_at: null,
    document: { paused: true, pause_note: expect.stringContaining('user:leo left the workspace') },
  })
})
