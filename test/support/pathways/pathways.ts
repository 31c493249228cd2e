import { randomUUID } from 'node:crypto'
import { ValidationError } from '../../../domain/shared/errors.ts'
import type { Problem } from '../../../domain/shared/json/json.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { PathwaysService } from '../../../services/pathways/pathways.ts'
import type { PathwayView } from '../../../contract/pathways/pathway.ts'
import { createTestDatabase, type TestDatabase } from '../stack/database.ts'
import { createSpine } from '../resources/spine.ts'
import { createPrincipal } from '../shared/workspace.ts'

/** Pathways in one workspace, in a separate database. */
export interface PathwayFixture {
  database: TestDatabase
  pathways: PathwaysService
  /** A principal who has all permissions in the workspace. */
  ann: Principal & { first_brain: string }
  create(fields?: Partial<Parameters<PathwaysService['create']>[1]>, principal?: Principal): Promise<PathwayView>
}

export async function createPathwayFixture(): Promise<PathwayFixture> {
  const database = await createTestDatabase(20)
  const { pathways } = createSpine(database.db)
  const ann = await createPrincipal(database.db)
  const create: PathwayFixture['create'] = (fields = {}, principal = ann) =>
    pathways.create(principal, { title: unique('Pathway'), definition: calling(), ...fields })
  return { database, pathways, ann, create }
}

export const FIRST_PAGE = { limit: 50, offset: 0 }

export const unique = (name: string): string => `${name}-${randomUUID().slice(0, 8)}`

export const endNode = (output: string) => ({ id: 'done', type: 'end', output })

/** Returns a definition that ends immediately, or after the given pathways in sequence. */
export function calling(...refs: string[]) {
  const calls = refs.map((ref, i) => ({ id: `call${i}`, type: 'pathway', ref }))
  const ids = [...calls.map(call => call.id), 'done']
  const edges = ids.slice(1).map((to, i) => ({ from: ids[i], to }))
  return { schema: 'pathway/1', nodes: [...calls, endNode('fine')], edges }
}

/** Returns the problems of a save that was rejected. Fails if the save is accepted. */
export const listProblems = (work: Promise<unknown>): Promise<Problem[]> =>
  work.then(
    () => Promise.reject(new Error('it was expected to fail')),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ValidationError)
      return (error as ValidationError).details ?? []
    },
  )
