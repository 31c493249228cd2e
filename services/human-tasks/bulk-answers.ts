import { listAbsent } from '../../data/absences-store.ts'
import type { Database } from '../../data/database.ts'
import type { InterventionRecord } from '../../data/interventions-store.ts'
import { AppError, NotFound } from '../../domain/errors.ts'
import { previewAnswer } from '../../domain/human-tasks/bulk.ts'
import type { Answer, JobRecord } from '../../domain/jobs.ts'
import type { Principal } from '../../domain/principal.ts'
import { getIntervention } from '../jobs/find.ts'
import { checkAnswerable, toAnswerer, toOpenIntervention } from '../jobs/intervention-answers.ts'
import type { JobsService } from '../jobs/types.ts'
import type { BulkAnswers, BulkItem, BulkResult } from './types.ts'

interface Deps {
  db: Database
  jobs: Pick<JobsService, 'answer'>
}

/** Answers that are sent at a time. */
const AT_A_TIME = 5

const CHANGED = 'It is not what the preview showed: preview it again'

/** Gives one answer to many interventions. Each is accepted or refused by itself. */
export function createBulkAnswers({ db, jobs }: Deps): BulkAnswers {
  const find = (principal: Principal, id: string) =>
    db.inWorkspace(principal.workspace_id, async tx => ({
      ...(await getIntervention(tx, principal, id)),
      absent: await listAbsent(tx, principal.actor),
    }))

  async function preview(principal: Principal, { interventionId }: BulkItem, answer: Answer): Promise<BulkResult> {
    const { record, job, absent } = await find(principal, interventionId)
    checkAnswerable(principal, job, record, absent)
    const at = new Date().toISOString()
    const previewed = previewAnswer(toOpenIntervention(record), answer, toAnswerer(principal, absent), at)
    return { ...describe(record, job), ...previewed }
  }

  async function give(principal: Principal, item: BulkItem, answer: Answer): Promise<BulkResult> {
    const { record, job } = await find(principal, item.interventionId)
    const described = describe(record, job)
    if (record.shown_hash !== item.shown_hash)
      return { ...described, outcome: 'refused', code: 'CONFLICT', message: CHANGED }
    const reply = await jobs.answer(principal, job.job_id, record.id, answer)
    const { decided: decides, approvals, quorum } = reply
    if (record.votes.some(({ by, at }) => by === reply.by && at === reply.at))
      return { ...described, outcome: 'repeats' }
    return { ...described, outcome: 'counts', decides, approvals, quorum }
  }

  return {
    async answerMany(principal, items, answer, { dry_run = false }) {
      const results: BulkResult[] = []
      const treat = dry_run ? preview : give
      for (let i = 0; i < items.length; i += AT_A_TIME) {
        const some = items.slice(i, i + AT_A_TIME)
        results.push(
          ...(await Promise.all(
            some.map(item => treat(principal, item, answer).catch((error: unknown) => refuse(item, error))),
          )),
        )
      }
      const refused = results.filter(({ outcome }) => outcome === 'refused').length
      return { dry_run, accepted: results.length - refused, refused, results }
    },
  }
}

const describe = ({ id, title, kind, shown_hash }: InterventionRecord, { job_id }: JobRecord) => ({
  interventionId: id,
  job_id,
  title,
  kind,
  shown_hash,
})

/** One that cannot be answered does not stop the others. Throws what is not for the caller. */
function refuse({ interventionId }: BulkItem, error: unknown): BulkResult {
  if (!(error instanceof AppError)) throw error
  const { code, message } = error instanceof NotFound ? new NotFound('Intervention') : error
  return { interventionId, outcome: 'refused', code, message }
}
