import type { Database, Tx } from '../../../data/shared/database.ts'
import { type InterventionRecord, listDecisions } from '../../../data/people/interventions-store.ts'
import { listChildResults, listRecordedNodes } from '../../../data/runs/job-forks-store.ts'
import { Conflict, ValidationError } from '../../../domain/shared/errors.ts'
import { buildDecisionOutput } from '../../../domain/people/answering.ts'
import type { JobRecord } from '../../../data/runs/jobs-store.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { buildNodeOutput } from '../../../domain/agents/answers.ts'
import { COMPUTED, type RecordedNode } from '../../../domain/pathways/fork/types.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { PathwayRunInput } from '../../../workflows/pathways/messages.ts'
import { checkWritable } from '../../access/brains.ts'
import type { IdempotencyKeys, Idempotency } from '../../shared/idempotency.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { getJob } from '../find.ts'
import { type FollowedPathway, pinFollowed, getFollowedPathway } from '../followed.ts'
import type { StatusReader } from '../status/status.ts'
import { readOutputsFromHistory } from './read-outputs-from-history.ts'
import { readStartedRun } from './read-started-run.ts'

/** The run from which a fork starts: its row, its pathway, and its nodes with full outputs. */
export interface Origin extends FollowedPathway {
  row: JobRecord
  nodes: RecordedNode[]
  /** Outputs that are missing from the node rows, by node key. */
  outputs: Record<string, JsonValue>
}

interface Deps {
  db: Database
  temporal: Temporal
  readStatus: StatusReader
  idempotencyKeys: Pick<IdempotencyKeys, 'check'>
}

/** Returns the job if it can be forked. Throws NotFound, Forbidden, ValidationError and Conflict. */
export async function getForkableJob(
  { db, readStatus, idempotencyKeys }: Deps,
  principal: Principal,
  jobId: string,
  idempotency?: Idempotency,
): Promise<JobRecord> {
  const find = () => db.inWorkspaceAtOnce(principal.workspace_id, tx => getJob(tx, principal, jobId))
  const row = await find()
  await db.inWorkspace(principal.workspace_id, tx => idempotencyKeys.check(tx, idempotency))
  checkWritable(principal, row.brain_id)
  if (row.purged_at) throw new Conflict('The content of the job was removed')
  if (row.kind !== 'pathway' && row.kind !== 'neuron')
    throw new ValidationError(
      `A job of kind "${row.kind}" cannot be forked. You can fork only runs of pathways and neurons`,
    )
  if (row.parent_job_id)
    throw new Conflict(`The job is a child run: fork ${row.root_job_id} at the node that started it`)
  // If Temporal has closed the run, its row is repaired first.
  return (await readStatus(row)).repaired ? find() : row
}

/**
 * Reads the data that a fork copies. Pinned resources come from the run. If Temporal no longer has the run, the
 * current resources are used.
 */
export async function readOrigin(deps: Deps, principal: Principal, row: JobRecord): Promise<Origin> {
  const { db, temporal } = deps
  const begun = await readStartedRun<PathwayRunInput>(temporal, row.job_id)
  // Until a migrated run continues as new, its start input has a different version than its row.
  const startInput = begun?.pathway.version === row.pathway_version ? begun : undefined
  const {
    followed: followedPathway,
    recorded,
    known: knownOutputs,
  } = await db.inWorkspace(row.workspace_id, async tx => {
    const [pathwayVersion, recorded] = await Promise.all([
      startInput ? getFollowedPathway(startInput) : pinFollowed(tx, principal, row),
      listRecordedNodes(tx, row.job_id),
    ])
    return { followed: pathwayVersion, recorded, known: await readOutputs(tx, row.job_id, recorded) }
  })
  const lost = recorded.filter(
    node => lacksOutput(node) && !Object.hasOwn(knownOutputs, node.key) && !COMPUTED.has(node.node_type),
  )
  const outputs = { ...knownOutputs, ...(await readLost(temporal, row.job_id, lost)) }
  return { row, ...followedPathway, nodes: recorded.map(node => complete(node, outputs)), outputs }
}

const lacksOutput = ({ status, output }: RecordedNode): boolean => status === 'completed' && output === undefined

const readLost = async (temporal: Temporal, jobId: string, lost: RecordedNode[]) =>
  lost.length === 0 ? {} : await readOutputsFromHistory(temporal, jobId, new Set(lost.map(({ key }) => key)))

/** Reads outputs that are too long for the node rows: child run results and people's decisions. */
async function readOutputs(tx: Tx, jobId: string, nodes: RecordedNode[]): Promise<Record<string, JsonValue>> {
  const lacking = nodes.filter(lacksOutput)
  if (lacking.length === 0) return {}
  const keys = lacking.map(({ key }) => key)
  const [children, decisions] = await Promise.all([listChildResults(tx, jobId, keys), listDecisions(tx, jobId)])
  return Object.fromEntries([
    ...children.map(({ parent_key, kind, result }) => [
      parent_key,
      kind === 'neuron' ? buildNodeOutput(result) : result,
    ]),
    ...decisions.filter(({ node_key }) => keys.includes(node_key)).flatMap(listDecisionOutput),
  ])
}

const listDecisionOutput = (record: InterventionRecord): [string, JsonValue][] =>
  record.decision ? [[record.node_key, buildDecisionOutput(record.decision, record)]] : []

const complete = (node: RecordedNode, outputs: Record<string, JsonValue>): RecordedNode =>
  lacksOutput(node) && Object.hasOwn(outputs, node.key) ? { ...node, output: outputs[node.key] } : node
