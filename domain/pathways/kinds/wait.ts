import { parseMoment } from '../../shared/durations.ts'
import { MOMENT, momentProblems, readMoment } from './moments.ts'
import { hasExpression } from '../expressions/template.ts'
import { type PlainKind, type NodeFields, type NodeOf, LINE, onlyDefault } from './kind.ts'

const TIME_RULE = 'must be an ISO 8601 time with an offset, such as 2027-01-31T09:00:00Z, on a valid date'

const fields = {
  /** Exactly one of these properties is set. `until` returns an ISO 8601 time. */
  properties: { duration: MOMENT, until: LINE, event: LINE },
  required: [],
} as const satisfies NodeFields

export type WaitNode = NodeOf<'wait', typeof fields>

export const wait: PlainKind<WaitNode> = {
  type: 'wait',
  fields,
  allows: { timeout: true },
  ports: onlyDefault,
  labels: ({ event }) => (event === undefined ? [] : ['event']),
  isOpaque: true,
  bindings: ({ duration, until }) => [
    ...(duration === undefined ? [] : [{ at: '/duration', template: duration }]),
    ...(until === undefined ? [] : [{ at: '/until', template: until }]),
  ],
  start: (node, context) => {
    if (node.event !== undefined) return { type: 'wait', event: node.event }
    if (node.duration !== undefined)
      return { type: 'wait', until: readMoment(context.evaluate('/duration'), context.at, '/duration') }
    const text = context.evaluate('/until')
    const until = typeof text === 'string' ? parseMoment(text) : undefined
    if (until !== undefined) return { type: 'wait', until }
    return {
      type: 'failed',
      code: 'NOT_A_TIME',
      message: `${JSON.stringify(text)} ${TIME_RULE}`,
    }
  },
  problems(node, { at }) {
    const count = [node.duration, node.until, node.event].filter(value => value !== undefined).length
    if (count !== 1) return [{ pointer: at, message: 'a wait must have exactly one of duration, until and event' }]
    if (node.timeout && !node.event)
      return [{ pointer: `${at}/timeout`, message: 'only a wait for an event may have a timeout' }]
    const { duration, until } = node
    if (until !== undefined && !hasExpression(until) && parseMoment(until) === undefined)
      return [{ pointer: `${at}/until`, message: TIME_RULE }]
    return duration === undefined ? [] : momentProblems(duration, `${at}/duration`)
  },
}
