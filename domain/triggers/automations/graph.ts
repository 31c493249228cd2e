import type { FiringDecision } from '../firing.ts'
import type { TriggerHealth } from '../health.ts'
import type { TargetType } from '../target.ts'

/** A trigger in the graph. */
export interface GraphTrigger {
  id: string
  title: string
  /** The trigger type, followed by its scheduled times, if any. */
  about: string
  health: TriggerHealth
  /** Decision counts of the last 24 hours. */
  counts: Partial<Record<FiringDecision, number>>
}

/** A resource that triggers start. */
export interface GraphTarget {
  key: string
  type: TargetType
  title: string
  isMissing: boolean
}

export interface AutomationGraph {
  triggers: GraphTrigger[]
  targets: GraphTarget[]
  /** Edges from a trigger's id to a target's key. */
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

/** Describes the decisions of the last 24 hours: `12 fired, 3 filtered`. */
export function describeCounts(counts: GraphTrigger['counts']): string {
  const parts = Object.entries(counts).map(([decision, count]) => `${count} ${decision.replaceAll('_', ' ')}`)
  return parts.length === 0 ? 'no events in the last day' : parts.join(', ')
}
