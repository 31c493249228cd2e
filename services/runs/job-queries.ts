import { listAbsent } from '../../data/people/absences-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { countEligible } from '../../data/people/eligible-people-store.ts'
import { listInterventionChanges } from '../../data/people/intervention-changes-store.ts'
import {
  countInterventions,
  listInterventions,
  listOpenInterventionsOfJobs,
  listOpenInterventions,
  type InterventionPageFilter,
} from '../../data/people/interventions-store.ts'
import { findFork, listForks } from '../../data/runs/job-forks-store.ts'
import { listMigrations } from '../../data/runs/job-migrations-store.ts'
import { listNodes } from '../../data/runs/job-nodes-store.ts'
import {
  countJobs,
  findJob,
  findRunDefinition,
  listJobs,
  type JobRecord,
  type JobPageFilter,
  type JobsFilter,
} from '../../data/runs/jobs-store.ts'
import { NotFound, Unavailable } from '../../domain/shared/errors.ts'
import { isTerminal, JOB_OUTCOMES, JOB_STATUSES, type JobKind, type JobStatus } from '../../domain/runs/jobs.ts'
import type { ReceiptLine, SentRequest } from '../../domain/runs/nodes.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { visibleBrains } from '../access/brains.ts'
import { withoutToolFacts } from '../pathways/tools.ts'
import type { Temporal } from '../shared/temporal.ts'
import { readBulkReport } from './bulk/read-report.ts'
import { repairClosed } from './status/closed-runs.ts'
import { getIntervention, getJob } from './find.ts'
import type { Retry } from './status/retries.ts'
import { createStatusReader } from './status/status.ts'
import type { JobsService } from './jobs.ts'
import type { JobView } from '../../contract/runs/job.ts'
import type { RunDefinitionView } from '../../contract/runs/definition.ts'
import {
  mayAnswer,
  presentChange,
  presentForks,
  presentIntervention,
  presentJob,
  presentMigrations,
  presentNode,
  presentSummary,
} from './views.ts'

export type JobFilter = Omit<JobPageFilter, 'brain_ids'>

/** The filter for job counts by status and outcome. */
export type JobCountFilter = Omit<JobsFilter, 'brain_ids' | 'statuses' | 'outcomes'>

export interface InterventionFilter extends Omit<InterventionPageFilter, 'answerable_by' | 'brain_ids'> {
  /** Include only interventions that the caller can currently answer. */
  mine?: boolean
}

type JobQueries = Pick<
  JobsService,
  | 'list'
  | 'count'
  | 'status'
  | 'detail'
  | 'definition'
  | 'hasEnded'
  | 'interventions'
  | 'intervention'
  | 'countInterventions'
>

/** The kinds of jobs whose input is request text instead of a reference to stored bytes. */
const WITH_INPUT = new Set<JobKind>(['pathway', 'tool', 'search', 'bulk'])

/** Reads jobs and interventions. An open job's status comes from Temporal. */
export function createJobQueries(deps: { db: Database; temporal: Temporal }): JobQueries {
  const { db, temporal } = deps
  const readStatus = createStatusReader(deps)

  async function view(row: JobRecord): Promise<JobView> {
    return (await viewWithRetries(row)).job
  }

  async function viewWithRetries(row: JobRecord): Promise<{ job: JobView; retries?: () => Map<string, Retry> }> {
    const { status, repaired, problem, reset_at, retries } = await readStatus(row)
    const { workspace_id, job_id } = row
    const url = temporal.uiUrl(job_id)
    if (isTerminal(row.status)) return { job: presentJob(row, status, [], url) }
    const jobProblem = await problem?.()
    return db.inWorkspace(workspace_id, async tx => {
      const [fresh, interventions] = await Promise.all([findJob(tx, job_id), listOpenInterventions(tx, job_id)])
      const current = fresh ?? row
      if (repaired || isTerminal(current.status))
        return { job: presentJob(current, current.status, interventions, url) }
      return {
        job: {
          ...presentJob(current, status, interventions, url),
          ...(jobProblem && { problem: jobProblem }),
          reset_at,
        },
        retries,
      }
    })
  }

  const find = (principal: Principal, jobId: string) =>
    db.inWorkspaceAtOnce(principal.workspace_id, tx => getJob(tx, principal, jobId))

  const listPage = (principal: Principal, filter: JobFilter) =>
    db.inWorkspace(principal.workspace_id, async tx => {
      const { rows, total } = await listJobs(tx, { ...filter, brain_ids: visibleBrains(principal) })
      const waiting = rows.filter(row => row.status === 'waiting' || row.status === 'paused').map(row => row.job_id)
      const interventions = waiting.length > 0 ? await listOpenInterventionsOfJobs(tx, waiting) : []
      return { rows, asked: interventions, total }
    })

  return {
    status: async (principal, jobId) => view(await find(principal, jobId)),

    detail: async (principal, jobId) => {
      const row = await find(principal, jobId)
      const { job, retries } = await viewWithRetries(row)
      const retried = retries?.()
      const { nodes, fork, forks, moves, bulk } = await db.inWorkspace(principal.workspace_id, async tx => {
        const [nodes, fork, forks, moves, bulk] = await Promise.all([
          listNodes(tx, jobId),
          findFork(tx, jobId),
          listForks(tx, jobId),
          listMigrations(tx, jobId),
          row.kind === 'bulk' ? readBulkReport(tx, principal, jobId) : undefined,
        ])
        return { nodes, fork, forks, moves, bulk }
      })
      const input = WITH_INPUT.has(row.kind) && row.input !== null ? { input: row.input } : {}
      const nodeViews = nodes.map(node => presentNode(node, retried?.get(node.key)))
      const requestsByNode = new Map(nodes.map(node => [node.key, node.sent]))
      return {
        ...job,
        ...(job.receipt && { receipt: job.receipt.map(line => withSent(line, requestsByNode.get(line.key))) }),
        ...input,
        ...presentForks(fork, forks),
        ...presentMigrations(moves),
        ...(bulk && { bulk }),
        nodes: nodeViews,
      }
    },

    definition: (principal, jobId) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        await getJob(tx, principal, jobId)
        const runDefinition = await findRunDefinition(tx, jobId)
        if (!runDefinition) throw new NotFound('The definition of this job')
        const { definition } = runDefinition as unknown as RunDefinitionView
        return { ...runDefinition, definition: withoutToolFacts(definition) }
      }),

    count: (principal, filter) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const counted = await countJobs(tx, { ...filter, brain_ids: visibleBrains(principal) })
        const sumUp = (isCounted: (row: (typeof counted)[number]) => boolean) =>
          counted.filter(isCounted).reduce((sum, { count }) => sum + count, 0)
        return {
          total: sumUp(() => true),
          by_status: buildRecord(JOB_STATUSES, jobStatus => sumUp(({ status }) => status === jobStatus)),
          by_outcome: buildRecord(JOB_OUTCOMES, jobOutcome => sumUp(({ outcome }) => outcome === jobOutcome)),
        }
      }),

    hasEnded: async (principal, jobId) => {
      const row = await find(principal, jobId)
      return isTerminal(await readStatus(row).then(({ status }) => status, orStoredStatus(row)))
    },

    list: async (principal, filter) => {
      const listed = await listPage(principal, filter)
      const isRepaired = await repairClosed(temporal, readStatus, listed.rows)
      const { rows, asked: interventions, total } = isRepaired ? await listPage(principal, filter) : listed
      const jobs = rows.map(row => {
        const ownInterventions = interventions.filter(
          ({ job_id, root_job_id }) => job_id === row.job_id || root_job_id === row.job_id,
        )
        return presentSummary(row, row.status, ownInterventions, temporal.uiUrl(row.job_id))
      })
      return { jobs, total, limit: filter.limit, offset: filter.offset }
    },

    interventions: async (principal, { mine, ...filter }) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        if (mine && !mayAnswer(principal)) return { data: [], total: 0 }
        const absences = listAbsent(tx, principal.actor)
        const answerable_by = mine ? buildAnswerer(principal, await absences) : undefined
        const query = { ...filter, answerable_by, brain_ids: visibleBrains(principal) }
        const [absent, { rows, total }] = await Promise.all([absences, listInterventions(tx, query)])
        return { data: rows.map(row => presentIntervention(row, principal, absent)), total }
      }),

    countInterventions: principal =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const filter = { statuses: ['open' as const], brain_ids: visibleBrains(principal) }
        const { groups } = principal
        const countMine = (absent: string[]) =>
          countInterventions(tx, { ...filter, answerable_by: buildAnswerer(principal, absent) })
        const [open, mine, ofGroups] = await Promise.all([
          countInterventions(tx, filter),
          mayAnswer(principal) ? listAbsent(tx, principal.actor).then(countMine) : 0,
          groups.length > 0 ? countInterventions(tx, { ...filter, assignees: groups }) : 0,
        ])
        return { open, mine, groups: ofGroups }
      }),

    intervention: async (principal, id) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const { record } = await getIntervention(tx, principal, id)
        const [[counted], changes, absent] = await Promise.all([
          countEligible(tx, [id]),
          listInterventionChanges(tx, id),
          listAbsent(tx, principal.actor),
        ])
        const history = changes.map(presentChange)
        const view = presentIntervention(record, principal, absent)
        return { ...view, ...(counted && { eligible: counted.eligible }), history }
      }),
  }
}

const buildRecord = <Name extends string>(names: readonly Name[], toValue: (name: Name) => number) =>
  Object.fromEntries(names.map(name => [name, toValue(name)])) as Record<Name, number>

const buildAnswerer = ({ actor, person, people, groups, brain_ids }: Principal, absent: string[]) => ({
  actor,
  person,
  people,
  groups,
  stands_in_for: absent,
  is_bound: brain_ids !== null,
})

/** If Temporal is unavailable, uses the stored status. Stream readers learn of the run's end from the run itself. */
const orStoredStatus =
  ({ status }: JobRecord) =>
  (error: unknown): JobStatus => {
    if (error instanceof Unavailable) return status
    throw error
  }

const withSent = (line: ReceiptLine, request: SentRequest | undefined): ReceiptLine =>
  request ? { ...line, sent: request } : line
