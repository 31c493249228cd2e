import type { ErrorCode } from '../../domain/shared/errors.ts'
import type { TaskCommand } from '../../domain/people/handling.ts'
import type { Answer, InterventionKind } from '../../domain/runs/jobs.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { TaskReply } from '../../workflows/shared/messages.ts'
import type { ChangeView, Idempotency } from '../runs/types.ts'

/** What people do with interventions without answering them. Methods throw NotFound for ids of other workspaces. */
export interface HumanTasksService {
  /**
   * Changes who deals with an open intervention. A change that is there already changes nothing. Throws ValidationError,
   * Forbidden for those who may not, and Claimed where another person has claimed it.
   */
  change(principal: Principal, id: string, command: TaskCommand, idempotency?: Idempotency): Promise<TaskReply>
  /** Throws ValidationError for an intervention that is closed. */
  comment(principal: Principal, id: string, comment: string, idempotency?: Idempotency): Promise<ChangeView>
}

export interface BulkItem {
  interventionId: string
  /** The `shown_hash` of what the person has seen. A preview takes items without it. */
  shown_hash?: string
}

/** What became, or would become, of one answer of many. What was found is described. */
export interface BulkResult {
  interventionId: string
  job_id?: string
  title?: string
  kind?: InterventionKind
  shown_hash?: string
  /** `repeats`: the caller has given the same answer before. `pending`: no worker has taken it yet. */
  outcome: 'counts' | 'repeats' | 'pending' | 'refused'
  decides?: boolean
  approvals?: number
  quorum?: number
  code?: ErrorCode
  message?: string
}

export interface BulkReply {
  dry_run: boolean
  accepted: number
  refused: number
  /** In the order of the request. */
  results: BulkResult[]
}

export interface BulkAnswers {
  /** Gives an answer to many interventions, or says what would become of it. A refusal is a result, not an error. */
  answerMany(
    principal: Principal,
    items: BulkItem[],
    answer: Answer,
    options: { dry_run?: boolean },
  ): Promise<BulkReply>
}
