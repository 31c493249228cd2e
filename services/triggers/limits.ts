import type { TriggerUse } from '../../data/triggers/trigger-firings-store.ts'
import type { TriggerDocument } from '../../domain/resources/kinds/triggers.ts'

/** Returns the trigger limit that another run would exceed, or undefined if there is none. */
export function findExceededLimit(limits: TriggerDocument['limits'], usage: TriggerUse): string | undefined {
  const { runs_per_hour, runs_at_once, usd_per_month } = limits
  if (runs_at_once !== undefined && usage.open_runs >= runs_at_once)
    return `The trigger has ${usage.open_runs} open runs; limits.runs_at_once is ${runs_at_once}`
  if (runs_per_hour !== undefined && usage.runs_last_hour >= runs_per_hour)
    return `The trigger has started ${usage.runs_last_hour} runs in the last hour; limits.runs_per_hour is ${runs_per_hour}`
  if (usd_per_month !== undefined && usage.usd_this_month >= usd_per_month)
    return `This month's runs have spent ${usage.usd_this_month} USD; limits.usd_per_month is ${usd_per_month}`
  return undefined
}

export const hasLimits = (limits: TriggerDocument['limits']): boolean => Object.keys(limits).length > 0
