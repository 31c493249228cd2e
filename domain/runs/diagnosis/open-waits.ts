import type { NodeMilestone } from '../nodes.ts'
import { isJsonObject } from '../../shared/json/json.ts'
import type { OpenWait } from './facts.ts'

/** Returns what a `wait` node waits for, as stored in its milestone. */
export function parseOpenWait({ key, at, input }: Pick<NodeMilestone, 'key' | 'at' | 'input'>): OpenWait {
  const { until, event, deadline } = isJsonObject(input) ? input : {}
  return {
    key,
    since: at,
    ...(typeof until === 'string' && { until }),
    ...(typeof event === 'string' && { event }),
    ...(typeof deadline === 'string' && { deadline }),
  }
}

/** Compares waits by end time. Waits without an end time come last. */
export const compareEnds = (a: OpenWait, b: OpenWait): number => getWaitEnd(a).localeCompare(getWaitEnd(b))

const getWaitEnd = ({ until, deadline }: OpenWait): string => until ?? deadline ?? '9'
