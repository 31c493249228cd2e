import { pathway } from '../runs/runs.ts'

/**
 * A script that records the duration in milliseconds of each task that blocked the page for at least 50 ms in
 * `longTasks`.
 */
export const NOTE_LONG_TASKS = `window.longTasks = []
new PerformanceObserver(list => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: 'longtask', buffered: true })`

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const value = (id: string, result: unknown) => ({ id, type: 'transform', title: `Step ${id}`, with: { value: result } })
const ENOUGH = [
  { id: 'review', type: 'human', kind: 'approval', title: 'Enough?' },
  { id: 'end', type: 'end', output: 'done' },
]
const WAYS_OF_REVIEW = ['review.approve > end', 'review.reject > end']

const CHAINS = 10
const LENGTH = 49

/**
 * Ten parallel chains between a first and a last node: nearly the maximum number of nodes. The run waits at its end.
 */
export const wide = {
  ...pathway(
    [
      ...numbers(CHAINS).flatMap(chain => numbers(LENGTH).map(i => value(`c${chain}_${i}`, i))),
      ...numbers(7).map(i => value(`first_${i}`, i)),
      { id: 'all', type: 'join', mode: 'all' },
      ...ENOUGH,
    ],
    ...numbers(6).map(i => `first_${i} > first_${i + 1}`),
    ...numbers(CHAINS).flatMap(chain => numbers(LENGTH - 1).map(i => `c${chain}_${i} > c${chain}_${i + 1}`)),
    ...numbers(CHAINS).flatMap(chain => [`first_6 > c${chain}_0`, `c${chain}_${LENGTH - 1} > all`]),
    'all > review',
    ...WAYS_OF_REVIEW,
  ),
  run_title: 'Five hundred nodes',
}

const body = pathway([value('twice', '${item * 2}'), value('more', '${nodes.twice.output + 1}')], 'twice > more')

/** Two visits for each item in the input. The run waits at its end. */
export const long = {
  ...pathway(
    [{ id: 'each', type: 'map', items: '${input}', body: { nodes: body.nodes, edges: body.edges } }, ...ENOUGH],
    'each > review',
    ...WAYS_OF_REVIEW,
  ),
  run_title: 'Five thousand visits',
}

/** An input with which `long` has 5,000 visits. */
export const LONG_INPUT = numbers(2_500)
