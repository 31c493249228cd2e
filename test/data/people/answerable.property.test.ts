import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import {
  listInterventions,
  listOpenInterventions,
  upsertInterventions,
} from '../../../data/people/interventions-store.ts'
import { insertJob } from '../../../data/runs/jobs-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { execute } from '../../../data/shared/statements.ts'
import type { Claim, Delegation } from '../../../domain/people/handling.ts'
import { findRefusal } from '../../../domain/people/answering.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { buildIntervention } from '../../support/people/interventions.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'

/** Compares the SQL list of tasks that a caller may answer with the TypeScript rule for a run. */

const AT = '2026-01-01T00:00:00Z'
const PEOPLE = ['user:ann', 'user:bob', 'user:cy', 'user:dee']
const GROUPS = ['group:finance', 'group:legal']
/** Bob also acts with a key. */
const AUTHORS = [...PEOPLE.map(by => ({ by })), { by: 'key:bot', person: 'user:bob' }]

const person = fc.constantFrom(...PEOPLE)
const author = fc.constantFrom<{ by: string; person?: string }[]>(...AUTHORS)
const few = <T>(one: fc.Arbitrary<T>, maxLength = 2) => fc.array(one, { maxLength })
const fewNames = (names: string[], maxLength = 2) => fc.uniqueArray(fc.constantFrom(...names), { maxLength })

const task = fc
  .record({
    assignees: fewNames([...PEOPLE, ...GROUPS], 3),
    excluded: fewNames(PEOPLE, 1),
    quorum: fc.constantFrom(1, 2, 3),
    claim: fc.option(
      author.map((by): Claim => ({ ...by, at: AT })),
      { nil: undefined, freq: 2 },
    ),
    delegations: few(fc.record<Delegation>({ from: person, to: person, at: fc.constant(AT) }), 1),
    isHandled: fc.boolean(),
    votes: fc.uniqueArray(fc.record({ author, on_behalf_of: fc.option(person, { nil: undefined, freq: 2 }) }), {
      maxLength: 2,
      selector: vote => vote.author.by,
    }),
  })
  // A vote decides an intervention that needs only one answer. That intervention is then closed.
  .map(({ votes, ...drawn }) => Object.assign(drawn, { votes: drawn.quorum > 1 ? votes : [] }))

const caller = fc
  .record({ author, groups: fewNames(GROUPS), stands_in_for: fewNames(PEOPLE), behind: fewNames(PEOPLE, 1) })
  .map(({ author: { by, person: name = by }, groups, stands_in_for, behind }) => ({
    actor: by,
    person: name,
    people: [...new Set([by, name, ...behind])],
    groups,
    stands_in_for: stands_in_for.filter(absent => absent !== name),
    is_bound: false,
  }))

let database: TestDatabase
let workspace: string
beforeAll(async () => {
  database = await createTestDatabase()
  workspace = (await createPrincipal(database.db)).workspace_id
})
afterAll(() => database.drop())
const inside = <T>(work: (tx: Tx) => Promise<T>) => database.db.inWorkspace(workspace, work)

type Task = typeof task extends fc.Arbitrary<infer T> ? T : never

async function insertTasks(tx: Tx, tasks: Task[]): Promise<string> {
  const job_id = `x-${randomUUID()}`
  const rest = { pathway_id: null, pathway_version: null, parent_key: null, brain_id: null, input: null }
  const names = { title: 'T', requester: 'user:ann', people: ['user:ann'], rights: [] }
  await insertJob(tx, { job_id, root_job_id: job_id, ...rest, ...names })
  const rows = tasks.map(drawn => ({ id: randomUUID(), ...drawn }))
  await upsertInterventions(
    tx,
    job_id,
    rows.map(({ id, assignees, excluded, quorum, claim, delegations, isHandled }) => ({
      ...buildIntervention({ id, assignees, excluded, quorum }),
      ...(isHandled && { handling: { revision: 1, claim, delegations } }),
    })),
  )
  const votes = rows.flatMap(({ id, votes: cast }) =>
    cast.map(({ author: by, on_behalf_of }, i) => {
      const vote = { action: 'approve', ...by, on_behalf_of, at: AT }
      return { id, seq: i + 1, statement: { vote } }
    }),
  )
  await execute(
    tx,
    `insert into intervention_votes (intervention_id, seq, job_id, statement)
     select id, seq, $1, statement from json_to_recordset($2::json) as vote (id text, seq integer, statement json)`,
    [job_id, JSON.stringify(votes)],
  )
  return job_id
}

test('a list contains exactly the interventions that its reader may answer according to the rule', async () => {
  const seen = { answerable: 0, refused: 0 }
  const property = fc.asyncProperty(
    fc.array(task, { minLength: 40, maxLength: 40 }),
    fc.array(caller, { minLength: 15, maxLength: 15 }),
    async (tasks, callers) =>
      inside(async tx => {
        const job_id = await insertTasks(tx, tasks)
        const open = await listOpenInterventions(tx, job_id)
        expect(open).toHaveLength(tasks.length)
        for (const answerable_by of callers) {
          const { rows } = await listInterventions(tx, { job_id, answerable_by, limit: 1_000, offset: 0 })
          const wanted = open.filter(row => findRefusal({ ...row, ...row.handling }, answerable_by) === undefined)
          expect(rows.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted())
          seen.answerable += wanted.length
          seen.refused += open.length - wanted.length
        }
      }),
  )
  await fc.assert(property, { numRuns: 25 })
  expect(seen.answerable).toBeGreaterThan(500)
  expect(seen.refused).toBeGreaterThan(500)
})
