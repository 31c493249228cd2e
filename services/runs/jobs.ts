import type { Database } from '../../data/shared/database.ts'
import type { Evaluator } from '../pathways/evaluation/evaluator.ts'
import type { IdempotencyKeys, Idempotency } from '../shared/idempotency.ts'
import type { Temporal } from '../shared/temporal.ts'
import { createDiagnosis } from './diagnosis/diagnosis.ts'
import { createForks } from './forks/forks.ts'
import { createInterventionAnswers } from '../people/intervention-answers.ts'
import { createJobCommands, type NamedEvent } from './job-commands.ts'
import type { JobStarter } from './start/job-starter.ts'
import { createJobQueries, type JobFilter, type JobCountFilter, type InterventionFilter } from './job-queries.ts'
import { createStartPathway, type StartRequest } from './start/start-pathway.ts'
import { createMigrations, type Migrations } from './migrations/migrations.ts'
import { createSnapshots, type JobSnapshots } from './snapshot.ts'
import { createCountStuck } from './status/stuck-runs.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { JobCounts, JobView, JobDetail, JobPage } from '../../contract/runs/job.ts'
import type { RunDefinitionView } from '../../contract/runs/definition.ts'
import type { DiagnosisView, DiagnosisCounts } from '../../contract/runs/diagnosis.ts'
import type { JobsFilter } from '../../data/runs/jobs-store.ts'
import type { ForkRequest } from './forks/fork-ask.ts'
import type { ForkStarted, ForkPlanView } from '../../contract/runs/fork.ts'
import type { Answer, AnswerReply } from '../../domain/people/intervention.ts'
import type { ResumedJob, CancelledJob, JobAccepted, JobState } from '../../contract/runs/control.ts'
import type { InterventionView, InterventionCounts, ReopenBody } from '../../contract/people/intervention.ts'

/** Use cases of jobs of all kinds. Methods throw NotFound for ids of other workspaces. */
export interface JobsService extends JobSnapshots {
  /** Starts a run of a pathway. */
  start(principal: Principal, request: StartRequest, idempotency?: Idempotency): Promise<JobAccepted>
  list(principal: Principal, filter: JobFilter): Promise<JobPage>
  /** The number of jobs in each status and with each outcome. */
  count(principal: Principal, filter: JobCountFilter): Promise<JobCounts>
  status(principal: Principal, jobId: string): Promise<JobView>
  /** The pathway that a run follows. Throws NotFound for jobs without one. */
  definition(principal: Principal, jobId: string): Promise<RunDefinitionView>
  detail(principal: Principal, jobId: string): Promise<JobDetail>
  /** Why a job is where it is. Answers within 2 s, and names what it could not find by then. */
  diagnosis(principal: Principal, jobId: string): Promise<DiagnosisView>
  /** Counts jobs by the cause of where they are. Of open jobs it examines the 200 oldest, for at most 2 s. */
  countCauses(
    principal: Principal,
    filter: JobCountFilter & Pick<JobsFilter, 'statuses' | 'outcomes'>,
  ): Promise<DiagnosisCounts>
  /** Number of open runs of the workspace for which Temporal reports a problem. */
  countStuck(principal: Principal): Promise<number>
  /**
   * Starts a run that takes over what stands before a node and goes on from there; a dry run lists what it would do.
   * Throws ValidationError with pointers, Conflict where the run does not permit it, and Forbidden.
   */
  fork(
    principal: Principal,
    jobId: string,
    request: ForkRequest & { from_node: string },
    idempotency?: Idempotency,
  ): Promise<ForkStarted | ForkPlanView>
  /** Forks a failed run with all that was not completed, and what was compensated. */
  retry(
    principal: Principal,
    jobId: string,
    request: Omit<ForkRequest, 'from_node'>,
    idempotency?: Idempotency,
  ): Promise<ForkStarted | ForkPlanView>
  /** Forks a run at the node of a closed intervention. Throws Forbidden for those who may not decide. */
  reopen(
    principal: Principal,
    interventionId: string,
    request: ReopenBody,
    idempotency?: Idempotency,
  ): Promise<ForkStarted | ForkPlanView>
  /** Moves open runs to another version of their pathway. */
  migrations: Migrations
  cancel(principal: Principal, jobId: string): Promise<CancelledJob>
  /** `pause` and `resume` throw ValidationError for a kind of job that cannot be paused. */
  pause(principal: Principal, jobId: string): Promise<JobState>
  /**
   * Delivers the event, and tells which `wait` nodes it ended; without one, resumes a paused run, or ends the `wait`
   * nodes in which a run and its child runs are.
   * Throws Conflict for a run that waits for people only.
   */
  resume(principal: Principal, jobId: string, event?: NamedEvent): Promise<ResumedJob>
  answer(
    principal: Principal,
    jobId: string,
    interventionId: string,
    answer: Answer,
    idempotency?: Idempotency,
  ): Promise<AnswerReply>
  interventions(principal: Principal, filter: InterventionFilter): Promise<{ data: InterventionView[]; total: number }>
  intervention(principal: Principal, id: string): Promise<InterventionView>
  countInterventions(principal: Principal): Promise<InterventionCounts>
}

interface Deps {
  db: Database
  temporal: Temporal
  jobStarter: JobStarter
  idempotencyKeys: IdempotencyKeys
  evaluator: Evaluator
}

/** The use cases of jobs. */
export function createJobs({ db, temporal, jobStarter, idempotencyKeys, evaluator }: Deps): JobsService {
  return {
    start: createStartPathway({ jobStarter, evaluator }),
    answer: createInterventionAnswers({ db, temporal, idempotencyKeys, evaluator }),
    countStuck: createCountStuck(temporal),
    ...createJobQueries({ db, temporal }),
    ...createJobCommands({ db, temporal, idempotencyKeys }),
    ...createDiagnosis({ db, temporal }),
    ...createForks({ db, temporal, jobStarter, evaluator, idempotencyKeys }),
    migrations: createMigrations({ db, temporal, evaluator }),
    ...createSnapshots({ db }),
  }
}
