import { claimIdempotency, saveIdempotentResponse } from '../../../data/shared/idempotency-store.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'

let database: TestDatabase
let workspace: string

beforeAll(async () => {
  database = await createTestDatabase(20)
  workspace = (await createPrincipal(database.db)).workspace_id
})
afterAll(() => database.drop())

const request = (key: string, target: string, hours = 24) => ({ key, route: 'POST /x', body_hash: 'h', target, hours })
const claim = (key: string, target: string, hours?: number) =>
  database.db.inWorkspace(workspace, tx => claimIdempotency(tx, request(key, target, hours)))

test('when many claims are made at once, one wins, and the others get its job', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => claim('race', `job-${i}`)))
  const winner = answers.findIndex(answer => answer.fresh)
  expect(answers.filter(answer => answer.fresh)).toHaveLength(1)
  for (const [i, answer] of answers.entries())
    if (i !== winner) expect(answer).toEqual({ fresh: false, body_hash: 'h', target: `job-${winner}`, response: null })
})

test('a claim that is rolled back releases the key to a waiting claim', async () => {
  let release: (() => void) | undefined
  const released = new Promise<void>(resolve => (release = resolve))
  let second: ReturnType<typeof claim> | undefined
  const first = database.db.inWorkspace(workspace, async tx => {
    await claimIdempotency(tx, request('undone', 'job-1'))
    second = claim('undone', 'job-2')
    await released
    throw new Error('undo')
  })
  const early = await Promise.race([new Promise(resolve => setTimeout(resolve, 200, 'waiting')), first])
  expect(early).toBe('waiting')
  release?.()
  await expect(first).rejects.toThrow('undo')
  expect(await second).toEqual({ fresh: true })
})

test('the response is stored for repeated requests', async () => {
  await claim('kept', 'job-1')
  await database.db.inWorkspace(workspace, tx => saveIdempotentResponse(tx, 'kept', { status: 'pending' }))
  expect(await claim('kept', 'job-2')).toMatchObject({ fresh: false, target: 'job-1', response: { status: 'pending' } })
})

test('an expired claim is replaced, and the old response is removed', async () => {
  await claim('old', 'job-1', 0)
  await database.db.inWorkspace(workspace, tx => saveIdempotentResponse(tx, 'old', 'old answer'))
  expect(await claim('old', 'job-2')).toEqual({ fresh: true })
  expect(await claim('old', 'job-3')).toMatchObject({ fresh: false, target: 'job-2', response: null })
})

test('each workspace has separate keys', async () => {
  const other = (await createPrincipal(database.db)).workspace_id
  await claim('shared', 'job-1')
  const theirs = database.db.inWorkspace(other, tx => claimIdempotency(tx, request('shared', 'job-2')))
  expect(await theirs).toEqual({ fresh: true })
})
