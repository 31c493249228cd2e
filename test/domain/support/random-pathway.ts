import { ACTIONS } from '../../../domain/people/intervention.ts'
import type { Edge, PathwayDefinition, PathwayNode } from '../../../domain/pathways/definition.ts'
import { listPorts } from '../../../domain/pathways/validation/edges.ts'
import type { Choices } from './choices.ts'

/** Optional features of a random pathway. */
export interface Allowed {
  /** Joins that continue before all branches have arrived. */
  races: boolean
  /** Expressions that fail, and loops that run out of iterations. */
  failures: boolean
}

const TYPES = [
  'transform',
  'http',
  'switch',
  'human',
  'http',
  'join',
  'map',
  'loop',
  'wait',
  'pathway',
  'join',
  'http',
  'end',
] as const
const SMALL = new Set<string>(['http', 'human', 'join', 'wait', 'switch'])
const MAX_NODES = 9
const MAX_BODIES = 2

/** Builds a valid random pathway: a graph with forward edges, and bodies inside. */
export function randomPathway(decide: Choices, allowed: Allowed): PathwayDefinition {
  const graph = new Builder(decide, allowed).graph(0, [])
  return { schema: 'pathway/1', ...graph }
}

/** Adds a parallel node that computes for longer than one engine step may take. */
export function withBusyNeighbor({ nodes, edges, ...rest }: PathwayDefinition): PathwayDefinition {
  const value = (id: string) => ({ id, type: 'transform', with: { value: 1 } }) as const
  const body = { nodes: [value('x'), value('y')], edges: [{ from: 'x', to: 'y' }] }
  const busy = { id: 'busy', type: 'loop', until: 'iteration >= 400', max: 400, body } as const
  const linked = [
    ...edges,
    { from: 'busy', to: 'after' },
    { from: nodes[0]?.id ?? '', to: 'meet' },
    { from: 'after', to: 'meet' },
  ]
  return { ...rest, nodes: [...nodes, busy, value('after'), value('meet')], edges: linked }
}

class Builder {
  private readonly decide: Choices
  private readonly allowed: Allowed
  private readonly small = new Set<string>()
  private count = 0

  constructor(decide: Choices, allowed: Allowed) {
    this.decide = decide
    this.allowed = allowed
  }

  /** `readable`: nodes outside this graph that expressions can read. */
  graph(depth: number, readable: string[]): { nodes: PathwayNode[]; edges: Edge[] } {
    const nodes: PathwayNode[] = []
    const edges: Edge[] = []
    const before = new Map<string, string[]>()
    const size = 1 + this.decide.below(depth > 0 ? 3 : MAX_NODES)
    for (let i = 0; i < size; i++) {
      const sources = this.sources(nodes, i)
      const ancestors = [...new Set(sources.flatMap(({ from }) => [from, ...(before.get(from) ?? [])]))]
      const node = this.node(depth, [...readable, ...ancestors], sources.length)
      before.set(node.id, ancestors)
      nodes.push(node)
      for (const source of sources) edges.push({ ...source, to: node.id })
    }
    this.addWaysOn(nodes, edges)
    return { nodes: [...nodes, ...this.handlers(nodes)], edges }
  }

  /** Returns sources for edges to the next node: at least one earlier node, so that every node is connected. */
  private sources(nodes: PathwayNode[], index: number): { from: string; on?: string }[] {
    const possible = nodes.filter(({ type }) => type !== 'end')
    if (index === 0 || possible.length === 0) return []
    const picked = Array.from({ length: 1 + this.decide.below(3) }, () => {
      const from = this.decide.of(possible)
      const ports = listPorts(from)
      const on = this.decide.once(3) ? this.decide.of(ports) : (ports[0] ?? 'default')
      return on === 'default' ? { from: from.id } : { from: from.id, on }
    })
    return [...new Map(picked.map(source => [`${source.from} ${source.on}`, source])).values()]
  }

  private node(depth: number, readable: string[], incoming: number): PathwayNode {
    const id = `n${this.count++}`
    const type = this.decide.of(TYPES)
    if (SMALL.has(type)) this.small.add(id)
    const title = this.decide.once(5) ? `Step ${id}` : undefined
    return { ...this.buildNode(type, id, depth, readable, incoming), ...(title && { title }) } as PathwayNode
  }

  private buildNode(
    type: (typeof TYPES)[number],
    id: string,
    depth: number,
    readable: string[],
    incoming: number,
  ): object {
    const first = { id, type }
    switch (type) {
      case 'http':
        return { ...first, ...this.effect(), with: { method: this.decide.of(['POST', 'GET']), url: 'http://x.test' } }
      case 'pathway':
        return { ...first, ref: 'other', with: this.reading(readable) }
      case 'switch':
        return { ...first, cases: [{ port: 'yes', when: this.condition(readable) }], default: 'no' }
      case 'human':
        return { ...first, ...this.intervention() }
      case 'wait':
        return { ...first, ...this.decide.of([{ event: 'go', timeout: 'P1D' }, { duration: 'PT5S' }, { event: 'go' }]) }
      case 'join':
        if (incoming > 0) return { ...first, ...this.joining(incoming) }
        break
      case 'map':
      case 'loop':
        if (depth < MAX_BODIES) return { ...first, ...this.repeating(type, depth, readable) }
        break
      case 'end':
        return incoming > 0
          ? { ...first, output: this.reading(readable) }
          : { ...first, type: 'transform', with: { value: 1 } }
    }
    const fails = this.allowed.failures && this.decide.once(12)
    return { id, type: 'transform', with: { value: fails ? '${input.missing}' : this.reading(readable) } }
  }

  private effect(): object {
    const effect = this.decide.below(4)
    return { ...(effect % 2 === 1 && { compensate: 'later' }), ...(effect > 1 && { timeout: 'PT1M' }) }
  }

  private intervention(): object {
    const due = this.decide.once(2) ? { due: 'P2D' } : {}
    const questions = [{ id: 'why', text: 'Why?' }]
    return {
      ...due,
      ...this.decide.of([{ kind: 'approval' }, { kind: 'form', form: {} }, { kind: 'questions', questions }]),
    }
  }

  private joining(incoming: number): object {
    const mode = this.allowed.races ? this.decide.of(['all', 'any', 'n']) : 'all'
    return mode === 'n' ? { mode, n: 1 + this.decide.below(incoming) } : { mode }
  }

  private repeating(type: 'map' | 'loop', depth: number, readable: string[]): object {
    const body = this.graph(depth + 1, readable)
    const timeout = this.decide.once(3) ? { timeout: 'P1D' } : {}
    if (type === 'map') return { ...timeout, items: '${input.list}', concurrency: 1 + this.decide.below(3), body }
    const turns = 1 + this.decide.below(3)
    const max = this.allowed.failures ? 1 + this.decide.below(3) : turns
    return { ...timeout, until: `iteration >= ${turns}`, max, body }
  }

  /** Returns expressions that read outputs from earlier nodes, only some of which were reached. */
  private reading(readable: string[]): Record<string, string> {
    const seen = readable.slice(-4)
    return Object.fromEntries(seen.map(id => [id, `\${has(nodes.${id}) ? ${this.seen(id)} : dyn("absent")}`]))
  }

  /** Values built from other values are only measured. Otherwise they would grow from node to node. */
  private seen(id: string): string {
    return this.small.has(id)
      ? `(has(nodes.${id}.output) ? nodes.${id}.output : nodes.${id}.error)`
      : `nodes.${id}.status`
  }

  private condition(readable: string[]): string {
    const [id] = readable.slice(-1)
    return id !== undefined && this.decide.once(2) ? `has(nodes.${id})` : `input.flags[${this.decide.below(2)}]`
  }

  /** Every answer of a person needs an edge. Missing edges lead to the last node. */
  private addWaysOn(nodes: PathwayNode[], edges: Edge[]): void {
    const missing = nodes.flatMap(node => {
      if (node.type !== 'human') return []
      const ports = [...ACTIONS[node.kind], ...(node.due ? ['timeout'] : [])]
      return ports
        .filter(on => !edges.some(edge => edge.from === node.id && edge.on === on))
        .map(on => ({ from: node.id, on }))
    })
    if (missing.length === 0) return
    const last = { id: `n${this.count++}`, type: 'transform', with: { value: 'last' } } as PathwayNode
    nodes.push(last)
    for (const way of missing) edges.push({ ...way, to: last.id })
  }

  /** Adds a compensation, which reads the node's output, to each node that supports one. */
  private handlers(nodes: PathwayNode[]): PathwayNode[] {
    return nodes.flatMap(node => {
      if (!node.compensate) return []
      node.compensate = `undo_${node.id}`
      const url = `http://undo.test/\${nodes.${node.id}.output.n}`
      return [{ id: node.compensate, type: 'http', with: { method: 'POST', url } }]
    })
  }
}
