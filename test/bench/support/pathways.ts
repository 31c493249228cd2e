import { pathway } from '../../support/runs/runs.ts'

const inLine = (nodes: { id: string }[]) =>
  pathway(nodes, ...nodes.slice(1).map((node, i) => `${nodes[i]?.id} > ${node.id}`))

/** Sequential values, each computed from the previous one. */
export const transforms = (count: number) =>
  inLine(
    Array.from({ length: count }, (_, i) => {
      const value = i === 0 ? 1 : `\${nodes.n${i - 1}.output + 1}`
      return { id: `n${i}`, type: 'transform', with: { value } }
    }),
  )

/** Sequential calls, each based on the result of the previous one. */
export const calls = (url: string, count: number, more: { idempotent?: boolean } = {}) =>
  inLine(
    Array.from({ length: count }, (_, i) => {
      const status = i === 0 ? 0 : `\${nodes.n${i - 1}.output.status}`
      return { id: `n${i}`, type: 'http', with: { method: 'POST', url, json: { i, status } }, ...more }
    }),
  )

/** Asks a person, then calls `<url>/<input.run>`. */
export const approval = (url: string) =>
  pathway(
    [
      { id: 'review', type: 'human', kind: 'approval', title: 'Go on?' },
      {
        id: 'next',
        type: 'http',
        with: { method: 'POST', url: `${url}/\${input.run}`, json: { answered: 'approve' } },
      },
      { id: 'stop', type: 'end' },
    ],
    'review.approve > next',
    'review.reject > stop',
  )

/** Stays open until the run receives an event. */
export const open = () => pathway([{ id: 'hold', type: 'wait', event: 'go on', timeout: 'PT1H' }])
