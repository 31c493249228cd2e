import type { FiringDecision } from '../firing.ts'
import type { TriggerHealth } from '../health.ts'
import type { TargetType } from '../target.ts'

/** A trigger as the graph shows it. */
export interface GraphTrigger {
  id: string
  title: string
  /** The type of the trigger, with its times if it has some. */
  about: string
  health: TriggerHealth
  /** Decisions of the last 24 hours. */
  counts: Partial<Record<FiringDecision, number>>
}

/** What triggers start. */
export interface GraphTarget {
  key: string
  type: TargetType
  title: string
  isMissing: boolean
}

export interface AutomationGraph {
  triggers: GraphTrigger[]
  targets: GraphTarget[]
  /** From a trigger's id to a target's key. */
  edges: { from: string; to: string }[]
}

const HEALTH_NAMES: Record<TriggerHealth, string> = {
  ok: 'ok',
  paused: 'paused',
  target_missing: 'target missing',
  failing: 'failing',
  over_limit: 'over limit',
}

export const nameHealth = (health: TriggerHealth): string => HEALTH_NAMES[health]

/** The decisions of the last day in words: `12 fired, 3 filtered`. */
export function describeCounts(counts: GraphTrigger['counts']): string {
  const parts = Object.entries(counts).map(([decision, count]) => `${count} ${decision.replaceAll('_', ' ')}`)
  return parts.length === 0 ? 'nothing in the last day' : parts.join(', ')
}
