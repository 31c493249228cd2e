import { randomUUID } from 'node:crypto'
import { WorkflowNotFoundError } from '@temporalio/client'
import { listAbsent } from '../../data/people/absences-store.ts'
import { writeAudit } from '../../data/audit/audit-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import { insertComment } from '../../data/people/intervention-changes-store.ts'
import { listOwnNames } from '../../data/people/people-store.ts'
import { ValidationError } from '../../domain/shared/errors.ts'
import type { TaskCommand } from '../../domain/people/handling.ts'
import { deriveUuid } from '../../domain/shared/name-uuid.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { taskUpdate } from '../../workflows/shared/run/messages.ts'
import { checkWritable } from '../access/brains.ts'
import type { IdempotencyKeys, Idempotency } from '../shared/idempotency.ts'
import { getIntervention } from '../runs/find.ts'
import { checkAnswerable, buildAnswerer } from './intervention-answers.ts'
import { waitUntilRecorded } from './pending-answers.ts'
import { sendWhenAsked, refusalError } from '../runs/run-messages.ts'
import type { TaskState } from '../../contract/people/task.ts'
import type { ChangeView } from '../../contract/people/intervention.ts'
import { presentChange } from '../runs/views.ts'
import type { Temporal } from '../shared/temporal.ts'
import { listUnknownNames } from './unknown-names.ts'

/** All changes to interventions except answers. Methods throw NotFound for ids from other workspaces. */
export interface HumanTasksService {
  /**
   * Claims, reassigns or otherwise changes an open intervention. Has no effect if the change has already been made.
   * Throws ValidationError, Forbidden without permission, and Claimed if another person has claimed the intervention.
   */
  change(principal: Principal, id: string, command: TaskCommand, idempotency?: Idempotency): Promise<TaskState>
  /** Throws ValidationError if the intervention is closed. */
  comment(principal: Principal, id: string, comment: string, idempotency?: Idempotency): Promise<ChangeView>
}

interface Deps {
  db: Database
  temporal: Temporal
  idempotencyKeys: Pick<IdempotencyKeys, 'claim' | 'saveResponse'>
}

/** The run applies each change, so that an intervention's changes and answers are processed in order. */
export function createHumanTasks({ db, temporal, idempotencyKeys }: Deps): HumanTasksService {
  return {
    async change(principal, id, command, idempotency) {
      const { jobId, absent, own_names } = await db.inWorkspace(principal.workspace_id, async tx => {
        const [{ record, job }, absent] = await Promise.all([
          getIntervention(tx, principal, id),
          listAbsent(tx, principal.actor),
        ])
        if (command.type === 'reassign') checkWritable(principal, job.brain_id)
        else checkAnswerable(principal, job, record, absent)
        await idempotencyKeys.claim(tx, idempotency, id)
        await checkNames(tx, command)
        const own_names = 'to' in command ? await listOwnNames(tx, principal.people, [command.to].flat()) : []
        return { jobId: record.job_id, absent, own_names }
      })
      const input = {
        interventionId: id,
        command,
        by: { ...buildAnswerer(principal, absent, db.requestId()), own_names },
      }
      try {
        const reply = await sendWhenAsked(
          temporal,
          jobId,
          taskUpdate,
          input,
          buildUpdateId(principal, command, idempotency),
        )
        await waitUntilRecorded(
          db,
          principal.workspace_id,
          id,
          ({ status, handling }) => status !== 'open' || (handling?.revision ?? 0) >= reply.revision,
        ).catch(() => undefined)
        return reply
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) throw closedError()
        throw refusalError(error)
      }
    },

    comment: (principal, id, comment, idempotency) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const { record, job } = await getIntervention(tx, principal, id)
        checkAnswerable(principal, job, record, await listAbsent(tx, principal.actor))
        const { isNew, response } = await idempotencyKeys.claim(tx, idempotency, id)
        if (!isNew && response) return response as unknown as ChangeView
        const { actor, person } = principal
        const inserted = await insertComment(tx, id, { actor, person, comment })
        if (!inserted) throw closedError()
        const { job_id, node_id } = record
        await writeAudit(tx, principal, {
          action: 'intervention.comment',
          target: id,
          brain_id: job.brain_id,
          details: { job_id, node_id },
        })
        const view = presentChange(inserted)
        await idempotencyKeys.saveResponse(tx, idempotency, view)
        return view
      }),
  }
}

const closedError = () => new ValidationError('the intervention is closed')

/** Throws ValidationError for an assignee that the workspace does not know, because nobody could answer. */
async function checkNames(tx: Tx, command: TaskCommand): Promise<void> {
  if (command.type !== 'reassign' && command.type !== 'delegate') return
  const { to } = command
  const problems = await listUnknownNames(tx, [to].flat(), i => (Array.isArray(to) ? `/to/${i}` : '/to'))
  if (problems.length > 0) throw new ValidationError('The workspace has no such assignee', problems)
}

/** The id includes the author, for operators. A request repeated with the same Idempotency-Key runs only once. */
const buildUpdateId = ({ actor }: Principal, { type }: TaskCommand, idempotency?: Idempotency): string =>
  `${type} by ${actor} ${idempotency ? deriveUuid(`${type} ${actor} ${idempotency.key}`) : randomUUID()}`
