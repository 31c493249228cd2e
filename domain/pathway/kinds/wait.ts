import { after } from '../../durations.ts'
import { defineKind, DURATION, LINE, onlyDefault } from './kind.ts'

export const wait = defineKind<'wait'>({
  type: 'wait',
  properties: { duration: DURATION, until: LINE, event: LINE },
  required: [],
  allows: { timeout: true },
  ports: onlyDefault,
  readings: node => (node.until === undefined ? [] : [{ at: '/until', template: node.until }]),
  begin: (node, turn) => {
    if (node.event !== undefined) return { type: 'wait', event: node.event }
    if (node.duration !== undefined) return { type: 'wait', until: after(turn.at, node.duration) }
    const until = String(turn.read('/until'))
    const time = Date.parse(until)
    if (Number.isNaN(time)) return { type: 'failed', code: 'NOT_A_TIME', message: `"${until}" is not an ISO 8601 time` }
    return { type: 'wait', until: new Date(time).toISOString() }
  },
})
