import { edges, pathway } from '../support/runs.ts'

/** A kind of run, and the keys of the effects that one run of it has. */
export interface Mix {
  definition: object
  effects: string[]
  result: unknown
}

/** How long an effect is under way, so that a crash finds some of them in the middle. */
const DELAY_MS = 500
const ITEMS = [0, 1, 2, 3, 4, 5]

/** Pathways with effects in a row, in parallel, in a map and around a person. Every effect of every run is another one. */
export function mixedPathways(ledgerUrl: string): Record<'chain' | 'parallel' | 'map' | 'human', Mix> {
  const effect = (id: string, more: object = {}) => ({
    id,
    type: 'http',
    with: {
      method: 'POST',
      url: `${ledgerUrl}/${id}?delay_ms=${DELAY_MS}`,
      json: { run: '${run.id}', node: id, ...more },
    },
    retry: { max_attempts: 20, initial: 'PT0.5S', max: 'PT2S' },
  })
  const end = (output: unknown) => ({ id: 'done', type: 'end', output })
  const begin = { id: 'begin', type: 'transform', with: { value: { total: '${1 + 1}' } } }

  const steps = ['a', 'b', 'c', 'd', 'e', 'f']
  return {
    chain: {
      definition: pathway(
        [begin, ...steps.map(id => effect(id)), end('${nodes.begin.output.total}')],
        'begin > a',
        ...steps.map((id, i) => `${id} > ${steps[i + 1] ?? 'done'}`),
      ),
      effects: steps,
      result: 2,
    },
    parallel: {
      definition: pathway(
        [
          begin,
          effect('a'),
          effect('b'),
          effect('c'),
          { id: 'all', type: 'join', mode: 'all' },
          effect('last'),
          end('met'),
        ],
        ...['a', 'b', 'c'].flatMap(id => [`begin > ${id}`, `${id} > all`]),
        'all > last',
        'last > done',
      ),
      effects: ['a', 'b', 'c', 'last'],
      result: 'met',
    },
    map: {
      definition: pathway([
        {
          id: 'each',
          type: 'map',
          items: ITEMS,
          concurrency: 2,
          body: {
            nodes: [
              effect('send', { item: '${item}' }),
              { id: 'square', type: 'transform', with: { value: '${item * item}' } },
            ],
            edges: edges('send > square'),
          },
        },
      ]),
      effects: ITEMS.map(i => `each[${i}]/send`),
      result: ITEMS.map(i => i * i),
    },
    human: {
      definition: pathway(
        [
          effect('before'),
          { id: 'review', type: 'human', kind: 'approval' },
          effect('after'),
          end('${nodes.review.output.by}'),
        ],
        'before > review',
        'review.approve > after',
        'review.reject > done',
        'after > done',
      ),
      effects: ['before', 'after'],
      result: 'user:ann',
    },
  }
}
