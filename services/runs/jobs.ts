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

/** Operations on jobs of all kinds. Methods throw NotFound for ids from other workspaces. */
export interface JobsService extends JobSnapshots {
  /** Starts a pathway run. */
  start(principal: Principal, request: StartRequest, idempotency?: Idempotency): Promise<JobAccepted>
  list(principal: Principal, filter: JobFilter): Promise<JobPage>
  /** Counts jobs by status and by outcome. */
  count(principal: Principal, filter: JobCountFilter): Promise<JobCounts>
  status(principal: Principal, jobId: string): Promise<JobView>
  /** Returns the pathway that a run uses. Throws NotFound for jobs without a pathway. */
  definition(principal: Principal, jobId: string): Promise<RunDefinitionView>
  detail(principal: Principal, jobId: string): Promise<JobDetail>
  /** Explains a job's current state. Responds within 2 s, and lists facts that could not be determined in time. */
  diagnosis(principal: Principal, jobId: string): Promise<DiagnosisView>
  /** Counts jobs by the cause of their current state. Examines the 200 oldest open jobs, for at most 2 s. */
  countCauses(
    principal: Principal,
    filter: JobCountFilter & Pick<JobsFilter, 'statuses' | 'outcomes'>,
  ): Promise<DiagnosisCounts>
  /** Counts the workspace's open runs for which Temporal reports a problem. */
  countStuck(principal: Principal): Promise<number>
  /**
   * Starts a run that copies the completed nodes before a given node and continues from that node. A dry run lists
   * the planned effects. Throws ValidationError with pointers, Conflict if the run's state does not permit a fork,
   * and Forbidden.
   */
  fork(
    principal: Principal,
    jobId: string,
    request: ForkRequest & { from_node: string },
    idempotency?: Idempotency,
  ): Promise<ForkStarted | ForkPlanView>
  /** Forks a failed run to repeat its uncompleted and compensated nodes. */
  retry(
    principal: Principal,
    jobId: string,
    request: Omit<ForkRequest, 'from_node'>,
    idempotency?: Idempotency,
  ): Promise<ForkStarted | ForkPlanView>
  /** Forks a run at a closed intervention's node. Throws Forbidden for callers who may not decide. */
  reopen(
    principal: Principal,
    interventionId: string,
    request: ReopenBody,
    idempotency?: Idempotency,
  ): Promise<ForkStarted | ForkPlanView>
  /** Moves open runs to another version of their pathway. */
  migrations: Migrations
  cancel(principal: Principal, jobId: string): Promise<CancelledJob>
  /** `pause` and `resume` throw ValidationError for kinds of jobs that cannot be paused. */
  pause(principal: Principal, jobId: string): Promise<JobState>
  /**
   * With an event, delivers the event and returns the `wait` nodes that it ended. Without an event, resumes a paused
   * run or ends the current `wait` nodes in a run and its child runs. Throws Conflict for a run that is waiting only
   * for people.
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

/** Creates the jobs service. */
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
