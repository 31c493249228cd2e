import type { Logger } from 'pino'
import { listAbsent } from '../../data/absences-store.ts'
import type { Database } from '../../data/database.ts'
import { findInterventionsById, type InterventionRecord } from '../../data/interventions-store.ts'
import { findJobs } from '../../data/jobs-store.ts'
import { AppError, Conflict, NotFound } from '../../domain/errors.ts'
import { previewAnswer } from '../../domain/human-tasks/bulk.ts'
import type { Answer, JobRecord } from '../../domain/jobs.ts'
import type { Principal } from '../../domain/principal.ts'
import { canReadBrain } from '../access/brains.ts'
import { checkAnswerable, toAnswerer, toOpenIntervention } from '../jobs/intervention-answers.ts'
import type { JobsService } from '../jobs/types.ts'
import type { BulkAnswers, BulkItem, BulkResult } from './types.ts'

interface Deps {
  db: Database
  jobs: Pick<JobsService, 'answer'>
  log: Logger
}

/** An intervention that was found, with the people for whom the caller stands in. */
interface Found {
  record: InterventionRecord
  job: JobRecord
  absent: string[]
}

type Outcome = Omit<BulkResult, 'interventionId'>

/** Answers that are sent at a time. */
const AT_A_TIME = 5

/** Gives one answer to many interventions. Each is accepted or refused by itself. */
export function createBulkAnswers({ db, jobs, log }: Deps): BulkAnswers {
  const find = (principal: Principal, ids: string[]): Promise<Map<string, Found>> =>
    db.inWorkspace(principal.workspace_id, async tx => {
      const [records, absent] = await Promise.all([findInterventionsById(tx, ids), listAbsent(tx, principal.actor)])
      const jobs = await findJobs(tx, [...new Set(records.map(({ job_id }) => job_id))])
      const visible = new Map(jobs.filter(job => canReadBrain(principal, job.brain_id)).map(job => [job.job_id, job]))
      return new Map(
        records.flatMap(record => {
          const job = visible.get(record.job_id)
          return job ? [[record.id, { record, job, absent }] as const] : []
        }),
      )
    })

  function preview(principal: Principal, { record, absent }: Found, answer: Answer): Outcome {
    const at = new Date().toISOString()
    return previewAnswer(toOpenIntervention(record), answer, toAnswerer(principal, absent), at)
  }

  async function give(principal: Principal, { record, job }: Found, item: BulkItem, answer: Answer): Promise<Outcome> {
    if (record.shown_hash !== item.shown_hash) throw new Conflict('It is not what the preview showed: preview it again')
    const reply = await jobs.answer(principal, job.job_id, record.id, answer)
    if (record.votes.some(({ by, at }) => by === reply.by && at === reply.at)) return { outcome: 'repeats' }
    const { decided: decides, approvals, quorum } = reply
    return { outcome: 'counts', decides, approvals, quorum }
  }

  /** One that cannot be answered does not stop the others. */
  function refuse(error: unknown): Outcome {
    if (error instanceof AppError) return { outcome: 'refused', code: error.code, message: error.message }
    log.error({ err: error }, 'an answer of many failed')
    return { outcome: 'refused', code: 'INTERNAL', message: 'Internal error' }
  }

  return {
    async answerMany(principal, items, answer, { dry_run = false }) {
      const byId = await find(
        principal,
        items.map(({ interventionId }) => interventionId),
      )
      const treat = async (item: BulkItem): Promise<BulkResult> => {
        const { interventionId } = item
        const found = byId.get(interventionId)
        if (!found) return { interventionId, ...refuse(new NotFound('Intervention')) }
        const { record, job, absent } = found
        const described = { interventionId, ...describe(record) }
        try {
          checkAnswerable(principal, job, record, absent)
          const outcome = dry_run ? preview(principal, found, answer) : await give(principal, found, item, answer)
          return { ...described, ...outcome }
        } catch (error) {
          return { ...described, ...refuse(error) }
        }
      }
      const results: BulkResult[] = []
      for (let i = 0; i < items.length; i += AT_A_TIME)
        results.push(...(await Promise.all(items.slice(i, i + AT_A_TIME).map(treat))))
      const refused = results.filter(({ outcome }) => outcome === 'refused').length
      return { dry_run, accepted: results.length - refused, refused, results }
    },
  }
}

const describe = ({ job_id, title, kind, shown_hash }: InterventionRecord) => ({ job_id, title, kind, shown_hash })
