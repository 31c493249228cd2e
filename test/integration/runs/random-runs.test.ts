import { Client, Connection } from '@temporalio/client'
import * as fc from 'fast-check'
import type { PathwayDefinition } from '../../../domain/pathways/definition.ts'
import { readConfig } from '../../../config/config.ts'
import { createDataConverter } from '../../../services/shared/encryption/payloads.ts'
import { validateDefinition } from '../../../domain/pathways/validate.ts'
import type { InterventionView } from '../../../contract/people/intervention.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import { Choices, choices } from '../../domain/support/choices.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { unaccounted } from '../../support/runs/random/account.ts'
import { randomRealPathway } from '../../support/runs/random/definition.ts'
import { disturb } from '../../support/runs/random/disturb.ts'
import { HOSTILE_INPUT, hostilePathway } from '../../support/runs/random/hostile.ts'
import { storeRandomRunTargets } from '../../support/runs/random/world.ts'
import { jobWith, readEvents, startRun } from '../../support/runs/runs.ts'
import { replayRuns } from '../../support/runs/replay.ts'
import { useStack } from '../../support/stack/use-stack.ts'
import { findTaskFailures } from '../../support/runs/workflow-tasks.ts'
import { select } from '../../../data/shared/statements.ts'
import { pick } from '../../../data/shared/table.ts'
import { jobsTable } from '../../../data/runs/tables.ts'

/** `npm run test:random-runs` sets a higher number. After a failure, the seed is printed and can be reused. */
const CASES = Number(process.env['RANDOM_RUNS'] ?? 30)
const SEED = Number(process.env['RANDOM_RUNS_SEED'] ?? Date.now() % 1_000_000)
const AT_ONCE = 12
const INPUT = { list: [1, 2, 3], flags: [true, false] }

const context = useStack()
let connection: Connection
let temporal: Client
/** The runs started so far. */
const workflows: string[] = []

beforeAll(async () => {
  await storeRandomRunTargets(context.workspace, context.ledger)
  connection = await Connection.connect({ address: context.stack.env.TEMPORAL_ADDRESS })
  temporal = new Client({ connection, namespace: context.stack.env.TEMPORAL_NAMESPACE })
})
afterAll(() => connection?.close())

const GRAPHS = {
  'any run': { build: randomRealPathway, input: INPUT },
  'a run with hostile values': { build: hostilePathway, input: HOSTILE_INPUT },
}

test.each(Object.entries(GRAPHS))(
  '%s ends, accounts for every step and replays, and no workflow task fails',
  async (_, { build, input }) => {
    const cases = fc.sample(fc.tuple(choices(160), choices(40)), { numRuns: CASES, seed: SEED })
    const left = cases.entries()
    const problems: string[] = []
    const work = async () => {
      for (const [i, [graph, world]] of left) {
        const definition = build(new Choices(graph), context.ledger.url)
        const found = await play(definition, input, world).catch((error: unknown) => [String(error)])
        problems.push(...found.map(problem => `seed ${SEED}, case ${i}: ${problem}`))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    expect(problems).toEqual([])
    const converter = createDataConverter(context.stack.database.db, readConfig(context.stack.env))
    expect(await replayRuns(workflows.splice(0), converter)).toEqual([])
  },
  60_000 + CASES * 3_000,
)

/** Plays one run to its end. Returns its defects. */
async function play(definition: PathwayDefinition, input: object, world: number[]): Promise<string[]> {
  const { client } = context.workspace
  const checked = validateDefinition(definition)
  if (!checked.ok) return [`the test made a bad pathway: ${JSON.stringify(checked.problems)}`]
  const jobId = await startRun(client, definition, input)
  await disturb(context.workspace, jobId, new Choices(world), async () =>
    (await renderTree(jobId)).filter(id => id !== jobId),
  )
  await endRun(jobId)
  const tree = await renderTree(jobId)
  const found = await Promise.all(tree.map(id => listProblems(id, id === jobId ? definition : undefined)))
  const problems = found.flat()
  return problems.length > 0 ? [...problems, JSON.stringify(definition)] : []
}

async function listProblems(jobId: string, definition: PathwayDefinition | undefined): Promise<string[]> {
  const job = await jobWith(context.workspace.client, jobId)
  await readViews(jobId)
  const problems = unaccounted(job, definition, context.ledger).concat(await taskFailures(jobId))
  return problems.length > 0 ? problems.map(problem => `${jobId}: ${problem}`).concat(summary(job)) : []
}

/** Reads the other views of a run. The client throws for a response with malformed text. */
async function readViews(jobId: string): Promise<void> {
  const { client } = context.workspace
  const inbox = await client.get<{ data: InterventionView[] }>(`/v1/interventions?job_id=${jobId}`)
  const { body: job } = await client.get<JobDetail>(`/v1/jobs/${jobId}`)
  const paths = [
    ...['status', 'diagnosis', 'definition'].map(view => `/v1/jobs/${jobId}/${view}`),
    ...inbox.body.data.flatMap(({ interventionId: id }) =>
      ['', '/evidence'].map(part => `/v1/interventions/${id}${part}`),
    ),
    ...(job.trace_id === null ? [] : [`/v1/traces/${job.trace_id}`]),
  ]
  await Promise.all([...paths.map(path => client.get(path)), readEvents(client, jobId)])
}

/** Returns the status of each node, to find the reason for a failure. */
const summary = ({ job_id, status, failedReason, receipt, nodes }: JobDetail): string =>
  JSON.stringify({ job_id, status, failedReason, receipt, nodes: nodes.map(({ key, status: at }) => `${key} ${at}`) })

/** Cancels a run that is waiting for an event that never arrives. */
async function endRun(jobId: string): Promise<void> {
  const { client } = context.workspace
  const { body } = await client.get<JobDetail>(`/v1/jobs/${jobId}/status`)
  if (body.status === 'paused') await client.post(`/v1/jobs/${jobId}/resume`)
  await new Promise(resolve => setTimeout(resolve, 500))
  await client.post(`/v1/jobs/${jobId}/cancel`)
  await jobWith(client, jobId)
}

/** Renders the run and all of its descendant runs. */
async function renderTree(jobId: string): Promise<string[]> {
  const rows = await context.stack.database.db.inWorkspace(context.workspace.id, tx =>
    select(tx, pick(jobsTable, 'job_id'), 'select job_id from jobs where root_job_id = $1 order by created_at', [
      jobId,
    ]),
  )
  return rows.map(({ job_id }) => job_id)
}

/** Lists the workflow tasks of a run that failed or timed out. For a run that never started, the list is empty. */
async function taskFailures(jobId: string): Promise<string[]> {
  const handle = temporal.workflow.getHandle(jobId)
  const closed = await waitUntil(async () => {
    const found = await handle.describe().catch(() => undefined)
    return found === undefined ? 'unknown' : found.status.name !== 'RUNNING' && found.status.name
  }).catch(() => 'open')
  if (closed === 'unknown') return []
  workflows.push(jobId)
  const open = closed === 'open' ? ['its workflow is open'] : []
  return [...open, ...(await findTaskFailures(temporal, jobId))]
}
