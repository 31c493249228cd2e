import { writeAudit } from '../../data/audit/audit-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import { findUnanswerable, listTasksOf, listTriggersOf, type TaskOfPerson } from '../../data/access/departures-store.ts'
import { findMember, lockDeactivated, type Member } from '../../data/access/members-store.ts'
import { type Permission, ROLES } from '../../domain/access/permissions.ts'
import { AppError, Forbidden, isRefusal, Unavailable, ValidationError } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { HandoverRequest, Handover, HandedOver } from '../../contract/access/handover.ts'
import type { Departure } from '../../contract/access/departure.ts'
import type { HumanTasksService } from '../people/human-tasks.ts'
import { pauseTrigger } from '../triggers/pausing.ts'
import type { MembersService } from './members.ts'
import type { Caller } from './callers.ts'
import type { Manager } from './manager.ts'

/** Removes members and hands over their work. */
export interface Offboarding {
  /** Removes a member as `MembersService.remove` does, then releases the member's claimed tasks. */
  remove(caller: Caller, by: Manager, actor: string, options: { dry_run?: boolean }): Promise<Departure>
  /** Deactivates a member as `MembersService.deactivate` does, then releases the member's claimed tasks. */
  deactivate(caller: Caller, by: Manager, actor: string, options: { dry_run?: boolean }): Promise<Departure>
  /**
   * Releases the tasks that a former member has claimed and others can answer. Has no effect for a member. Throws
   * Unavailable if a run can't be reached.
   */
  releaseClaims(principal: Principal, actor: string): Promise<void>
  /**
   * Reassigns a person's open tasks to another member, and the triggers of a former member. Triggers stay paused,
   * because whoever resumes a trigger is responsible for its runs. Throws ValidationError if the new member may not
   * take over. Throws Forbidden if callers hand over work to themselves, or may not reassign tasks or save triggers.
   */
  handOver(caller: Caller, actor: string, request: HandoverRequest): Promise<Handover>
}

interface Deps {
  db: Database
  members: Pick<MembersService, 'remove' | 'deactivate'>
  humanTasks: Pick<HumanTasksService, 'change'>
}

export function createOffboarding({ db, members, humanTasks }: Deps): Offboarding {
  async function reassign(principal: Principal, task: TaskOfPerson, to: string[]): Promise<HandedOver> {
    const { id, title } = task
    try {
      await humanTasks.change(principal, id, { type: 'reassign', to })
      return { id, title, outcome: 'handed_over' }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { id, title, outcome: 'refused', message: error.message }
    }
  }

  async function releaseClaims(principal: Principal, actor: string): Promise<void> {
    const tasks = await db.inWorkspace(principal.workspace_id, async tx =>
      (await findMember(tx, actor)) ? [] : listTasksOf(tx, { actor, groups: [] }),
    )
    for (const { id, assignees } of tasks.filter(({ is_claimed }) => is_claimed)) {
      const to = assignees.filter(name => name !== actor)
      // Everyone may answer a task without assignees. So a task assigned only to this person keeps its assignee until
      // the handover.
      if (to.length > 0 || assignees.length === 0)
        await humanTasks.change(principal, id, { type: 'reassign', to }).catch(ignoreRefusal)
    }
  }

  /** Releases what it can: the caller knows the claims, and can hand them over. */
  const tryToRelease = (principal: Principal, actor: string): Promise<void> =>
    releaseClaims(principal, actor).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error
    })

  return {
    async remove({ principal }, by, actor, options) {
      const departure = await members.remove(by, actor, options)
      if (!options.dry_run) await tryToRelease(principal, actor)
      return departure
    },

    async deactivate({ principal }, by, actor, options) {
      const departure = await members.deactivate(by, actor, options)
      if (!options.dry_run) await tryToRelease(principal, actor)
      return departure
    },

    releaseClaims,

    async handOver(caller, actor, { to, tasks: taskIds, triggers: triggerIds, dry_run = false }) {
      const { principal } = caller
      if (to === principal.person)
        throw new Forbidden('You cannot hand over work to yourself: ask another person to do it')
      if (to === actor) throw invalidSuccessorError(to, 'must be a different person')
      const { tasks, triggers } = await db.inWorkspace(principal.workspace_id, async tx => {
        const [from, taker] = [await findMember(tx, actor), await findMember(tx, to)]
        if (!taker) throw invalidSuccessorError(to, 'must be a member of the workspace')
        const { groups = [] } = from ?? (await lockDeactivated(tx, actor)) ?? {}
        const tasks = await findTasks(tx, { actor, groups }, taskIds)
        const owned = from ? [] : await listTriggersOf(tx, actor)
        const triggers = owned.filter(({ id }) => triggerIds?.includes(id) ?? true)
        if (tasks.length > 0) checkTaker(caller, taker, { needs: 'jobs:control', takes: 'interventions:answer' })
        if (triggers.length > 0) checkTaker(caller, taker, { needs: 'resources:write', takes: 'resources:write' })
        if (!dry_run)
          for (const { id } of triggers) {
            await pauseTrigger(
              tx,
              principal,
              id,
              `${principal.actor} handed over the trigger to ${to}, who can resume it`,
            )
            await writeAudit(tx, principal, { action: 'trigger.hand_over', target: id, details: { from: actor, to } })
          }
        return { tasks, triggers }
      })
      const handed: HandedOver[] = []
      for (const task of tasks)
        handed.push(
          dry_run
            ? { id: task.id, title: task.title, outcome: 'handed_over' }
            : await reassign(principal, task, replaceAssignee(task.assignees, actor, to)),
        )
      return {
        from: actor,
        to,
        dry_run,
        tasks: handed,
        triggers: triggers.map(({ id, title }) => ({ id, title, outcome: 'handed_over' })),
      }
    },
  }
}

async function findTasks(tx: Tx, person: Pick<Member, 'actor' | 'groups'>, ids?: string[]): Promise<TaskOfPerson[]> {
  const all = await listTasksOf(tx, person)
  if (ids) return all.filter(({ id }) => ids.includes(id))
  const unanswerable = await findUnanswerable(
    tx,
    all.map(({ id }) => id),
  )
  const isOwn = ({ id, assignees, is_claimed }: TaskOfPerson) =>
    is_claimed || assignees.includes(person.actor) || unanswerable.has(id)
  return all.filter(isOwn)
}

/** A task that has changed since may refuse the change. */
function ignoreRefusal(error: unknown): void {
  if (!isRefusal(error)) throw error
}

const replaceAssignee = (assignees: string[], from: string, to: string): string[] =>
  assignees.length === 0 ? [] : [...assignees.filter(name => name !== from), to]

/** Throws Forbidden if the caller lacks a permission, and ValidationError if the member does. */
function checkTaker(
  { principal: { permissions } }: Caller,
  taker: Member,
  { needs, takes }: { needs: Permission; takes: Permission },
): void {
  if (!permissions.has(needs)) throw new Forbidden(`This handover requires the permission "${needs}"`)
  if (!(ROLES[taker.role] as readonly Permission[]).includes(takes))
    throw invalidSuccessorError(taker.actor, `must be a member with the permission "${takes}"`)
}

const invalidSuccessorError = (to: string, message: string) =>
  new ValidationError(`${to} cannot take over: ${message}`, [{ pointer: '/to', message }])
