import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import type { Tx } from '../../../data/shared/database.ts'
import { execute } from '../../../data/shared/statements.ts'
import { createNotifying } from '../../../services/channels/notifications/notify.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'

/** Notifications of large groups. */

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Creates a workspace whose members receive the tasks of their group in a channel. Queues tasks for the group. */
async function queueTasks({ people, tasks }: { people: number; tasks: number }) {
  const { workspace_id } = await createPrincipal(database.db)
  const inside = <T>(work: (tx: Tx) => Promise<T>) => database.db.inWorkspace(workspace_id, work)
  const channel = randomUUID()
  const job = randomUUID()
  await inside(async tx => {
    await execute(
      tx,
      `insert into channels (id, name, type, settings, credentials, created_by, updated_by)
       values ($1, 'support', 'slack', '{}', '', 'user:ann', 'user:ann')`,
      [channel],
    )
    await execute(
      tx,
      `insert into members (actor, role, groups) select 'user:' || i, 'viewer', '{group:all}' from generate_series(1, $1::int) i`,
      [people],
    )
    await execute(
      tx,
      `insert into channel_accounts (channel_id, external_id, actor) select $2, 'U' || i, 'user:' || i from generate_series(1, $1::int) i`,
      [people, channel],
    )
    await execute(
      tx,
      `insert into notification_rules (channel_id, subject, updated_by) select $2, 'user:' || i, 'user:ann' from generate_series(1, $1::int) i`,
      [people, channel],
    )
    await execute(
      tx,
      `insert into jobs (job_id, root_job_id, title, requester, people) values ($1, $1, 'Ask', 'user:ann', '{user:ann}')`,
      [job],
    )
    await execute(
      tx,
      `insert into interventions (id, job_id, root_job_id, title, assignees, opened_at)
       select 'task ' || i, $2, $2, 'Task', '{group:all}', now() from generate_series(1, $1::int) i`,
      [tasks, job],
    )
    await execute(
      tx,
      `insert into notification_events (event_id, type, subject)
       select gen_random_uuid(), 'intervention.requested', 'task ' || i from generate_series(1, $1::int) i`,
      [tasks],
    )
  })
  return { inside, count: (table: string) => inside(tx => execute(tx, `select from ${table}`)) }
}

const log = pino({ level: 'silent' })

/** Runs rounds until the events of a workspace are notified. */
async function notify(count: (table: string) => Promise<number>): Promise<void> {
  const loop = createNotifying({ db: database.db, onMessages: () => undefined, log })
  await waitUntil(async () => {
    await loop.attempt(new AbortController().signal)
    return (await count('notification_events')) === 0
  })
}

test('many tasks of a large group notify 1,000 people each, and all their messages are updated', async () => {
  const { count, inside } = await queueTasks({ people: 1_200, tasks: 30 })
  await notify(count)
  expect([await count('notifications'), await count('channel_messages')]).toEqual([30_000, 30_000])
  const before = new Date().toISOString()
  await inside(tx =>
    execute(
      tx,
      `insert into notification_events (event_id, type, subject)
       select gen_random_uuid(), 'changed', id from interventions`,
    ),
  )
  await notify(count)
  expect(await count(`channel_messages where start_due_at >= '${before}'`)).toBe(30_000)
})

test('a workspace whose events cannot be notified does not delay others', async () => {
  const locked = await queueTasks({ people: 1, tasks: 1 })
  const isLocked = Promise.withResolvers<void>()
  const isOver = Promise.withResolvers<void>()
  // The notification waits for this transaction, until the time limit of the statement.
  const locking = locked.inside(async tx => {
    await execute(
      tx,
      `insert into notifications (id, recipient, event_id, type, intervention_id, is_direct)
       select gen_random_uuid(), 'user:1', event_id, type, subject, true from notification_events`,
    )
    isLocked.resolve()
    await isOver.promise
  })
  await isLocked.promise
  const { count } = await queueTasks({ people: 2, tasks: 1 })
  await notify(count)
  expect(await count('notifications')).toBe(2)
  expect(await locked.count('notification_events')).toBe(1)
  isOver.resolve()
  await locking
  await notify(locked.count)
  expect(await locked.count('channel_messages')).toBe(1)
})
