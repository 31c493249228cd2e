import type { Ledger } from '../../support/shared/ledger.ts'
import { edges, pathway } from '../../support/runs/runs.ts'
import { post } from './effects.ts'

/** A kind of run, with its pathway, the keys of its effects, and its result. */
export interface Mix {
  definition: object
  effects: string[]
  result: unknown
}

/** An effect takes this long, so that a crash interrupts some of them. */
const SLOW = '?delay_ms=500'
/** Each lost worker uses up one attempt. These tests lose more workers than a node tolerates by default. */
const PATIENT = { retry: { max_attempts: 20, initial: 'PT0.5S', max: 'PT2S' } }

const begin = { id: 'begin', type: 'transform', with: { value: { total: '${1 + 1}' } } }
const end = (output: unknown) => ({ id: 'done', type: 'end', output })

/** Returns pathways with effects in sequence, in parallel, in a map and around a question to a person. */
export const mixedPathways = (ledger: Ledger): Mix[] => [chain(ledger), parallel(ledger), map(ledger), human(ledger)]

function chain(ledger: Ledger): Mix {
  const steps = ['a', 'b', 'c', 'd', 'e', 'f']
  const definition = pathway(
    [begin, ...steps.map(id => post(ledger, id, SLOW, PATIENT)), end('${nodes.begin.output.total}')],
    'begin > a',
    ...steps.map((id, i) => `${id} > ${steps[i + 1] ?? 'done'}`),
  )
  return { definition, effects: steps, result: 2 }
}

function parallel(ledger: Ledger): Mix {
  const branches = ['a', 'b', 'c']
  const effects = [...branches, 'last']
  const definition = pathway(
    [
      begin,
      ...effects.map(id => post(ledger, id, SLOW, PATIENT)),
      { id: 'all', type: 'join', mode: 'all' },
      end('met'),
    ],
    ...branches.flatMap(id => [`begin > ${id}`, `${id} > all`]),
    'all > last',
    'last > done',
  )
  return { definition, effects, result: 'met' }
}

function map(ledger: Ledger): Mix {
  const items = [0, 1, 2, 3, 4, 5]
  const body = {
    nodes: [
      post(ledger, 'send', `/\${item}${SLOW}`, PATIENT),
      { id: 'square', type: 'transform', with: { value: '${item * item}' } },
    ],
    edges: edges('send > square'),
  }
  const definition = pathway([{ id: 'each', type: 'map', items, concurrency: 2, body }])
  return { definition, effects: items.map(i => `each[${i}]/send`), result: items.map(i => i * i) }
}

function human(ledger: Ledger): Mix {
  const definition = pathway(
    [
      post(ledger, 'before', SLOW, PATIENT),
      { id: 'review', type: 'human', kind: 'approval' },
      post(ledger, 'after', SLOW, PATIENT),
      end('${nodes.review.output.by}'),
    ],
    'before > review',
    'review.approve > after',
    'review.reject > done',
    'after > done',
  )
  return { definition, effects: ['after', 'before'], result: 'user:ann' }
}
