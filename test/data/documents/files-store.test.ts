import { hash, randomUUID } from 'node:crypto'
import { deleteUnusedContents, findContent, saveContent } from '../../../data/documents/contents-store.ts'
import { deleteUnusedFiles, findFiles, insertFile, setFileOwner } from '../../../data/documents/files-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'

let database: TestDatabase
let workspaceId: string

beforeAll(async () => {
  database = await createTestDatabase()
  ;({ workspace_id: workspaceId } = await createPrincipal(database.db))
})
afterAll(() => database.drop())

const inside = <T>(work: (tx: Tx) => Promise<T>) => database.db.inWorkspace(workspaceId, work)

async function store(): Promise<{ id: string; sha256: string }> {
  const bytes = Buffer.from(randomUUID())
  const sha256 = hash('sha256', bytes)
  const row = { id: randomUUID(), actor: 'user:ann', file_name: 'a.txt', media_type: 'text/plain', charset: 'utf-8' }
  await inside(async tx => {
    await saveContent(tx, { sha256, bytes })
    await insertFile(tx, { ...row, size: bytes.length, sha256 })
  })
  return { id: row.id, sha256 }
}

test('files that nothing has used since the cutoff are deleted, and their contents can then be removed', async () => {
  const [unused, used] = [await store(), await store()]
  await inside(tx => setFileOwner(tx, [used.id], { trace_id: randomUUID() }))
  const past = new Date(Date.now() - 60_000).toISOString()
  expect(await inside(tx => deleteUnusedFiles(tx, past, 10))).toBe(0)
  const future = new Date(Date.now() + 60_000).toISOString()
  expect(await inside(tx => deleteUnusedFiles(tx, future, 10))).toBe(1)
  expect((await inside(tx => findFiles(tx, [unused.id, used.id]))).map(({ id }) => id)).toEqual([used.id])
  expect(await inside(tx => deleteUnusedContents(tx, [unused.sha256, used.sha256]))).toBe(1)
  expect(await inside(tx => findContent(tx, used.sha256))).toBeDefined()
})
