import type { Logger } from 'pino'
import { listAbsent } from '../../data/people/absences-store.ts'
import type { Database } from '../../data/shared/database.ts'
import type { InterventionRecord } from '../../data/people/interventions-store.ts'
import { AppError, Conflict, NotFound } from '../../domain/shared/errors.ts'
import { previewAnswer } from '../../domain/people/bulk.ts'
import type { Answer } from '../../domain/people/intervention.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { findVisibleInterventions, type FoundIntervention } from '../runs/find.ts'
import { checkAnswerable, buildAnswerer } from './intervention-answers.ts'
import { toOpenIntervention } from './open-intervention.ts'
import type { JobsService } from '../runs/jobs.ts'
import type { BulkAnswerResult, BulkAnswersBody, BulkAnswersReply } from '../../contract/people/bulk-answers.ts'

type BulkItem = BulkAnswersBody['items'][number]

export interface BulkAnswers {
  /**
   * Answers many interventions, or previews the results. A rejected answer is reported as a result, not as an error.
   */
  answerMany(
    principal: Principal,
    items: BulkItem[],
    answer: Answer,
    options: { dry_run?: boolean },
  ): Promise<BulkAnswersReply>
}

interface Deps {
  db: Database
  jobs: Pick<JobsService, 'answer'>
  log: Logger
}

type Outcome = Omit<BulkAnswerResult, 'interventionId'>

/** Maximum number of answers sent concurrently. */
const AT_A_TIME = 5

/** Sends one answer to many interventions. Each intervention independently accepts or rejects the answer. */
export function createBulkAnswers({ db, jobs, log }: Deps): BulkAnswers {
  const find = (principal: Principal, items: BulkItem[]) =>
    db.inWorkspace(principal.workspace_id, tx =>
      Promise.all([
        findVisibleInterventions(
          tx,
          principal,
          items.map(({ interventionId }) => interventionId),
        ),
        listAbsent(tx, principal.actor),
      ]),
    )

  async function give(
    principal: Principal,
    { record, job }: FoundIntervention,
    item: BulkItem,
    answer: Answer,
  ): Promise<Outcome> {
    if (record.shown_hash !== item.shown_hash)
      throw new Conflict('The intervention has changed since the preview: preview it again')
    const reply = await jobs.answer(principal, job.job_id, record.id, answer)
    if (record.votes.some(({ by, at }) => by === reply.by && at === reply.at)) return { outcome: 'repeats' }
    if (reply.pending) return { outcome: 'pending' }
    const { decided: decides, approvals, quorum } = reply
    return { outcome: 'counts', decides, approvals, quorum }
  }

  /** If one intervention cannot be answered, the others are still answered. */
  function refuse(error: unknown): Outcome {
    if (error instanceof AppError) return { outcome: 'refused', code: error.code, message: error.message }
    log.error({ err: error }, 'answering an intervention in bulk failed')
    return { outcome: 'refused', code: 'INTERNAL', message: 'Internal error' }
  }

  return {
    async answerMany(principal, items, answer, { dry_run = false }) {
      const [byId, absent] = await find(principal, items)
      const answerer = buildAnswerer(principal, absent)
      const treat = async (item: BulkItem): Promise<BulkAnswerResult> => {
        const { interventionId } = item
        const intervention = byId.get(interventionId)
        if (!intervention) return { interventionId, ...refuse(new NotFound('Intervention')) }
        const { record, job } = intervention
        const described = { interventionId, ...describe(record) }
        try {
          checkAnswerable(principal, job, record, absent)
          const outcome = dry_run
            ? previewAnswer(toOpenIntervention(record), answer, answerer, new Date().toISOString())
            : await give(principal, intervention, item, answer)
          return { ...described, ...outcome }
        } catch (error) {
          return { ...described, ...refuse(error) }
        }
      }
      const results: BulkAnswerResult[] = []
      for (let i = 0; i < items.length; i += AT_A_TIME)
        results.push(...(await Promise.all(items.slice(i, i + AT_A_TIME).map(treat))))
      const refused = results.filter(({ outcome }) => outcome === 'refused').length
      return { dry_run, accepted: results.length - refused, refused, results }
    },
  }
}

const describe = ({ job_id, title, kind, shown_hash }: InterventionRecord) => ({ job_id, title, kind, shown_hash })
