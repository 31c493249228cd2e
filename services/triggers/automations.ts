import type { Database } from '../../data/shared/database.ts'
import { countRecentFirings } from '../../data/triggers/trigger-firings-store.ts'
import type { AutomationGraph, GraphTarget } from '../../domain/triggers/automations/graph.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { TriggerDocument } from '../../domain/resources/kinds/triggers.ts'
import type { TriggerTarget } from '../../domain/triggers/target.ts'
import type { ResourceQuery } from '../../contract/resources/resource.ts'
import type { TriggerView } from '../../contract/triggers/trigger.ts'
import type { AutomationTrigger, AutomationEdge } from '../../contract/triggers/automation.ts'
import { inBrain } from '../access/brains.ts'
import { findTargetProblem, findTargets, buildTargetKey } from './targets.ts'
import type { TriggersService } from './triggers.ts'

export interface Automations {
  /** Lists the triggers in the brain context, with an edge from each trigger to its target. */
  graph(
    principal: Principal,
    filter: ResourceQuery,
  ): Promise<{ triggers: AutomationTrigger[]; edges: AutomationEdge[]; total: number }>
}

interface Deps {
  db: Database
  triggers: Pick<TriggersService, 'list'>
}

export function createAutomations({ db, triggers }: Deps): Automations {
  return {
    async graph(principal, filter) {
      const { data, total } = await triggers.list(principal, filter)
      return db.inWorkspace(principal.workspace_id, async tx => {
        const counts = await countRecentFirings(
          tx,
          data.map(({ id }) => id),
        )
        const edges: AutomationEdge[] = []
        for (const brain of new Set(data.map(({ brain_id }) => brain_id))) {
          const brainTriggers = data.filter(({ brain_id }) => brain_id === brain)
          const targets = await findTargets(tx, inBrain(principal, brain), brainTriggers.map(getTarget))
          for (const view of brainTriggers) {
            const target = getTarget(view)
            const pinned = targets.get(buildTargetKey(target))
            const isThere = findTargetProblem(target, pinned) === undefined
            edges.push({ from: view.id, to: { ...target, ...(isThere && { id: pinned?.id, title: pinned?.title }) } })
          }
        }
        return { triggers: data.map(view => withCounts(view, counts.get(view.id))), edges, total }
      })
    },
  }
}

const withCounts = (view: TriggerView, counts: AutomationTrigger['counts'] = {}): AutomationTrigger => ({
  ...view,
  counts,
})

const getTarget = (view: TriggerView): TriggerTarget => (view as unknown as TriggerDocument).target

/** Returns the graph without fields that diagrams do not use. Targets are sorted by their first triggers. */
export function buildAutomationGraph(triggers: AutomationTrigger[], edges: AutomationEdge[]): AutomationGraph {
  const targets = new Map<string, GraphTarget>()
  for (const { to } of edges) {
    const key = buildGraphKey(to)
    targets.set(key, { key, type: to.type, title: to.title ?? to.ref, isMissing: to.id === undefined })
  }
  return {
    triggers: triggers.map(view => ({
      id: view.id,
      title: view.title,
      about: describeTrigger(view),
      health: view.health,
      counts: view.counts,
    })),
    targets: [...targets.values()],
    edges: edges.map(({ from, to }) => ({ from, to: buildGraphKey(to) })),
  }
}

const buildGraphKey = ({ type, id, ref }: AutomationEdge['to']): string => `${type}:${id ?? ref}`

function describeTrigger(view: TriggerView): string {
  const { trigger_type, schedule, event } = view as unknown as TriggerDocument
  const cron = schedule?.cron === undefined ? undefined : `${[schedule.cron].flat().join(' | ')} ${schedule.time_zone}`
  const every = schedule?.interval && `every ${schedule.interval.every}`
  return [trigger_type, cron ?? every ?? event?.types.join(', ')].filter(Boolean).join(' · ')
}
