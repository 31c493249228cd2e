import { PERMISSIONS } from '../../domain/access/permissions.ts'
import { type Cause, CAUSES } from '../../domain/runs/diagnosis/diagnosis.ts'
import { AuthRequired, Forbidden, NotFound } from '../../domain/shared/errors.ts'
import { isTerminal, type JobStatus } from '../../domain/runs/jobs.ts'
import type { JobEvent } from '../../domain/runs/events.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { inBrain } from '../../services/access/brains.ts'
import type { OpenStreams } from '../../domain/shared/open-streams.ts'
import type { RateLimiter } from '../../domain/access/rate-limiter.ts'
import type { PlansService } from '../../services/access/plans.ts'
import { PLAN } from '../support/access/plans.ts'
import { keyCallerOf } from '../support/access/access.ts'
import type { JobDetail } from '../../contract/runs/job.ts'
import type { JobsService } from '../../services/runs/jobs.ts'
import type { UsageService } from '../../services/access/usage/usage.ts'
import type { PathwayView } from '../../contract/pathways/pathway.ts'
import type { AccessService } from '../../services/access/access.ts'

/** In-memory implementations of the service interfaces, sufficient to test the HTTP side. */

export const WORKSPACE = '0192f0c4-0000-7000-8000-000000000001'
export const BRAIN = '0192f0c4-0000-7000-8000-0000000000b1'
export const KEY = 'test-key'
/** A key for another workspace. */
export const OTHER_KEY = 'other-key'
const OTHER_WORKSPACE = '0192f0c4-0000-7000-8000-000000000002'

export interface MemoryAccess extends AccessService {
  /** Expired keys. */
  ended: Set<string>
}

export function memoryAccess(): MemoryAccess {
  const ended = new Set<string>()
  const principal: Principal = {
    workspace_id: WORKSPACE,
    workspace_slug: 'acme',
    key_id: 'k',
    person: 'user:ann',
    people: ['user:ann'],
    actor: 'user:ann',
    groups: [],
    permissions: new Set(PERMISSIONS),
    brain_ids: null,
  }
  return {
    ended,
    findChangedCallers: async (_workspaceId, callers) =>
      new Set(callers.filter(({ principal }) => ended.has(principal.key_id))),
    async authenticate({ kind, token }) {
      if (token === 'broken') throw new TypeError('the password is hunter2')
      if (token === OTHER_KEY)
        return keyCallerOf({ ...principal, workspace_id: OTHER_WORKSPACE, workspace_slug: 'other', key_id: 'other' })
      if (token !== KEY) throw new AuthRequired()
      return { ...keyCallerOf(principal), kind }
    },
    async withBrain(principal, brainId) {
      if (brainId === undefined) return principal
      if (brainId !== BRAIN) throw new Forbidden()
      return inBrain(principal, brainId)
    },
  }
}

export interface MemoryJobs extends JobsService {
  /** The arguments of `start` and `answer`. */
  calls: unknown[][]
  put(
    jobId: string,
    status: JobStatus,
    snapshot?: { terminal?: JobEvent; finished_at?: string; events: JobEvent[] },
  ): void
  /** Number of `findEnded` calls. */
  asked: number
}

export function memoryJobs(): MemoryJobs {
  const rows = new Map<
    string,
    { view: JobDetail; snapshot: { terminal?: JobEvent; finished_at?: string; events: JobEvent[] } }
  >()
  const find = (jobId: string) => {
    const row = rows.get(jobId)
    if (!row) throw new NotFound('Job')
    return row
  }
  const started = (jobId: string) => ({
    job_id: 'invoice-2',
    status: 'pending' as const,
    forked_from: { job_id: find(jobId).view.job_id },
  })
  const self: MemoryJobs = {
    calls: [],
    asked: 0,
    put: (jobId, status, snapshot = { events: [] }) =>
      void rows.set(jobId, { view: jobDetail(jobId, status), snapshot }),
    async start(...call) {
      self.calls.push(call)
      return { job_id: 'invoice-1', status: 'pending' }
    },
    async list(_, { limit, offset }) {
      return { jobs: [...rows.values()].map(({ view }) => withoutNodes(view)), total: rows.size, limit, offset }
    },
    status: async (_, jobId) => withoutNodes(find(jobId).view),
    detail: async (_, jobId) => find(jobId).view,
    count: async () => ({
      total: 0,
      by_status: { pending: 0, running: 0, waiting: 0, paused: 0, completed: 0, failed: 0 },
      by_outcome: { completed: 0, failed: 0, cancelled: 0 },
    }),
    migrations: {
      migrate: async (_, { from_version, to_version, dry_run = false }) => ({
        pathway_id: 'invoice',
        from_version,
        to_version,
        dry_run,
        matched: 0,
        counts: { can_move: 0, moved: 0, cannot_move: 0, unanswered: 0 },
        runs: [],
        needs_confirm: false,
      }),
      move: async () => [],
      undo: async (_, jobId) => ({
        job_id: find(jobId).view.job_id,
        from_version: 2,
        to_version: 1,
        at: '2026-01-01T00:00:00.000Z',
      }),
    },
    diagnosis: async (_, jobId) => ({
      job_id: find(jobId).view.job_id,
      cause: 'unknown',
      message: 'Nothing was found',
      action: 'Read it again',
      evidence: {},
      missing: [],
      link: 'http://127.0.0.1:8233',
    }),
    countCauses: async () => ({
      total: 0,
      by_cause: Object.fromEntries(CAUSES.map(cause => [cause, 0])) as Record<Cause, number>,
      not_examined: 0,
    }),
    async definition() {
      throw new NotFound('The definition of this job')
    },
    fork: async (_, jobId) => started(jobId),
    retry: async (_, jobId) => started(jobId),
    reopen: async () => {
      throw new NotFound('Intervention')
    },
    countStuck: async () => 2,
    hasEnded: async (_, jobId) => isTerminal(find(jobId).view.status),
    cancel: async (_, jobId) => ({ job_id: find(jobId).view.job_id, status: 'failed', receipt: [] }),
    pause: async (_, jobId) => ({ job_id: find(jobId).view.job_id, status: 'paused' }),
    resume: async (_, jobId) => ({ job_id: find(jobId).view.job_id, status: 'running' }),
    async answer(...call) {
      self.calls.push(call)
      const [, job_id, interventionId, { action }] = call
      return { job_id, interventionId, action, by: 'user:ann', at: AT, decided: true, approvals: 1, quorum: 1 }
    },
    interventions: async () => ({ data: [], total: 0 }),
    countInterventions: async () => ({ open: 0, mine: 0, groups: 0 }),
    async intervention() {
      throw new NotFound('Intervention')
    },
    snapshot: async (_, jobId) => find(jobId).snapshot,
    async findEnded(_, jobIds) {
      self.asked += 1
      return new Map(
        jobIds.flatMap(id => (find(id).snapshot.terminal ? [[id, find(id).snapshot.terminal as JobEvent]] : [])),
      )
    },
  }
  return self
}

const withoutNodes = ({ nodes: _nodes, ...view }: JobDetail) => view

export const PATHWAY: PathwayView = {
  id: '0192f0c4-0000-7000-8000-000000000000',
  slug: 'invoice',
  type: 'pathways',
  title: 'Invoice',
  description: null,
  path: '/',
  scope: 'workspace',
  brain_id: null,
  is_active: true,
  version: 1,
  definition: { schema: 'pathway/1', nodes: [{ id: 'done', type: 'end' }], edges: [] },
  created_at: '2026-01-02T03:04:05.000Z',
  updated_at: '2026-01-02T03:04:05.000Z',
  deleted_at: null,
}

const AT = '2026-01-02T03:04:05.000Z'

export function jobDetail(job_id: string, status: JobStatus): JobDetail {
  return {
    job_id,
    status,
    outcome: null,
    progress: null,
    current_step: null,
    created_at: AT,
    processed_at: null,
    finished_at: null,
    purged_at: null,
    kind: 'pathway',
    title: 'Invoice',
    pathway_id: null,
    pathway_title: null,
    pathway_version: null,
    asset_id: null,
    receptor_id: null,
    neuron_id: null,
    neuron_version: null,
    trigger_id: null,
    trace_id: null,
    brain_id: null,
    root_job_id: job_id,
    parent_job_id: null,
    requester: 'user:ann',
    people: ['user:ann'],
    usage: { input_tokens: 0, output_tokens: 0, usd: 0 },
    temporal_url: 'http://127.0.0.1:8233/',
    nodes: [],
  }
}

/** The usage figures for a workspace without runs. */
export const memoryUsage: UsageService = {
  report: () => Promise.reject(new Error('this test has no usage.report')),
  estimate: async () => ({
    neuron_run: null,
    pathway_run: null,
    ingest_1000_words: { input_tokens: 0, usd: 0 },
    search_query: { input_tokens: 0, usd: 0 },
    transcribe_minute: null,
  }),
}

/** A plan without limits. */
export const memoryPlans: PlansService = {
  find: async () => ({ ...PLAN, name: 'standard', trial_ends_at: null }),
  checkWrite: async () => undefined,
  checkSpend: async () => undefined,
  prepareAdmission: () => Promise.reject(new Error('this test starts no runs')),
  report: () => Promise.reject(new Error('this test has no plans.report')),
}

/** A rate limiter that counts nothing. */
export const unlimited: RateLimiter = {
  count: async (_, limit) => ({ limit, remaining: limit - 1, msToReset: 60_000, isExceeded: false }),
}

/** A stream limit that counts nothing. */
export const anyStreams: OpenStreams = { open: async () => () => undefined, close: () => undefined }

/** A service that no test should reach. */
export const unreachable = (name: string): never =>
  new Proxy(
    {},
    {
      get: (_, method) => () => Promise.reject(new Error(`this test has no ${name}.${String(method)}`)),
    },
  ) as never
