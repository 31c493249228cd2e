import type { Body, PathwayDefinition, PathwayNode } from '../../../../domain/pathways/definition.ts'
import type { Choices } from '../../../domain/support/choices.ts'
import { randomPathway } from '../../../domain/support/random-pathway.ts'

type Fields = Record<string, unknown>

/** Slugs of the stored pathways and neurons that random runs refer to. See `world.ts`. */
export const CHILDREN = [
  'child-quick',
  'child-asks',
  'child-fails',
  'child-naps',
  'child-hangs',
  'child-nested',
] as const
export const NEURONS = ['writer', 'asker'] as const

/** How calls behave: most return. Others take a while, never return, fail at first, or fail permanently. */
const CALLS = ['', '', 'delay_ms=60', 'hang=true', 'fail=1', 'status=422'] as const
const TIMEOUTS = ['PT0.15S', 'PT0.4S', 'PT0.8S'] as const

/**
 * Returns a random pathway with real effects and short waits, which uses each node type with and without a time
 * limit.
 */
export function randomRealPathway(decide: Choices, ledgerUrl: string): PathwayDefinition {
  const { schema, ...graph } = randomPathway(decide, { races: true, failures: true })
  return { schema, ...realBody(graph, decide, ledgerUrl) }
}

function realBody({ nodes, edges }: Body, decide: Choices, ledgerUrl: string): Body {
  const handlers = new Map(nodes.flatMap(({ id, compensate }) => (compensate ? [[compensate, id]] : [])))
  const real = nodes.map(node => {
    const undone = handlers.get(node.id)
    return undone === undefined ? realNode(node, decide, ledgerUrl) : buildHandler(node, undone, ledgerUrl)
  })
  return { nodes: real as unknown as PathwayNode[], edges }
}

/** Calls the ledger with the run's id and the compensated node, so that compensations can be counted. */
const buildHandler = ({ id }: PathwayNode, undone: string, ledgerUrl: string): Fields => ({
  id,
  type: 'http',
  retry: { max_attempts: 2, initial: 'PT0.05S' },
  with: { method: 'POST', url: `${ledgerUrl}/undo/\${run.id}/${undone}` },
})

function realNode(node: PathwayNode, decide: Choices, ledgerUrl: string): Fields {
  const { timeout, ...rest } = node as PathwayNode & Fields
  const isLimited = decide.once(2) || timeout !== undefined
  const limit = isLimited ? { timeout: decide.of(TIMEOUTS) } : {}
  switch (node.type) {
    case 'http': {
      const url = `${ledgerUrl}/\${run.id}/${node.id}?${decide.of(CALLS)}`
      const idempotent = decide.once(2)
      return {
        ...rest,
        ...limit,
        idempotent,
        retry: { max_attempts: 2, initial: 'PT0.05S' },
        with: { ...node.with, url },
      }
    }
    case 'pathway':
      return realChild(node, { ...rest, ...limit }, decide)
    case 'wait':
      if (node.event === undefined) return { ...rest, duration: decide.of(TIMEOUTS) }
      return { ...rest, ...limit }
    case 'human':
      return { ...rest, ...(node.due && { due: 'PT0.7S', remind: ['PT0.1S'], escalate: ESCALATE }) }
    case 'map':
    case 'loop':
      return { ...rest, ...limit, body: realBody(node.body, decide, ledgerUrl) }
    case 'transform':
      return decide.once(4) ? realStep(node.id, limit, decide) : { ...rest }
    default:
      return { ...rest }
  }
}

const ESCALATE = [{ after: 'PT0.2S', to: ['user:ann'] }]

function realChild({ id }: PathwayNode, fields: Fields, decide: Choices): Fields {
  if (decide.once(3)) {
    const { compensate: _compensate, ...rest } = fields
    return { ...rest, type: 'neuron', ref: decide.of(NEURONS), with: { message: `Say something about ${id}` } }
  }
  return { ...fields, ref: decide.of(CHILDREN) }
}

/** Returns a step of a type that random pathways do not otherwise generate. */
function realStep(id: string, limit: Fields, decide: Choices): Fields {
  const steps: Fields[] = [
    { type: 'neuron', with: { message: 'Sum up: the sky is blue. The sea is deep.' } },
    { type: 'tool', with: { reflex: 'builtin', name: 'current_time', args: {} } },
    { type: 'search', with: { query: 'anything', mode: 'keyword' } },
    { type: 'transcribe', retry: { max_attempts: 1 }, with: { audio_base64: 'bm90IGF1ZGlv', mime_type: 'audio/wav' } },
  ]
  return { id, ...limit, ...decide.of(steps) }
}
