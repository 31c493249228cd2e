import type { Body, Edge, PathwayDefinition, PathwayNode } from '../../../domain/pathways/definition.ts'
import { validateDefinition } from '../../../domain/pathways/validate.ts'
import { listPorts } from '../../../domain/pathways/validation/edges.ts'
import type { Choices } from './choices.ts'

/** Maximum attempts to make changes that keep the pathway valid. */
const MAX_TRIES = 8

/** Returns the pathway with one or two random changes. Undefined if all attempts made it invalid. */
export function changePathway(definition: PathwayDefinition, decide: Choices): PathwayDefinition | undefined {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const changed = structuredClone(definition)
    changeBody(chooseBody(changed, decide), decide, 'm0')
    if (decide.once(3)) changeBody(chooseBody(changed, decide), decide, 'm1')
    const checked = validateDefinition(changed)
    if (checked.ok) return checked.definition
  }
  return undefined
}

function chooseBody(body: Body, decide: Choices): Body {
  const inner = body.nodes.flatMap(node => ('body' in node ? [node.body] : []))
  return inner.length > 0 && decide.once(2) ? chooseBody(decide.of(inner), decide) : body
}

function changeBody(body: Body, decide: Choices, id: string): void {
  const { nodes, edges } = body
  if (nodes.length === 0) return
  const added = () => ({ id, type: 'http', with: { method: 'POST', url: 'http://new.test' } }) as PathwayNode
  const chosen = decide.of(nodes)
  switch (decide.below(8)) {
    case 0:
      nodes.splice(nodes.indexOf(chosen), 1)
      body.edges = edges.filter(({ from, to }) => from !== chosen.id && to !== chosen.id)
      return
    case 1:
      nodes.push(added())
      return void edges.push(edgeFrom(chosen, id, decide))
    case 2: {
      if (edges.length === 0) return
      const edge = decide.of(edges)
      nodes.push(added())
      edges.push({ from: id, to: edge.to })
      edge.to = id
      return
    }
    case 3:
      return void edges.push(edgeFrom(chosen, decide.of(nodes).id, decide))
    case 4:
      return void edges.splice(decide.below(Math.max(1, edges.length)), 1)
    case 5:
      if (decide.once(3)) return void nodes.push(added())
      if (edges.length > 0) Object.assign(decide.of(edges), edgeFrom(chosen, decide.of(nodes).id, decide))
      return
    default:
      return changeNode(chosen, decide)
  }
}

function edgeFrom(node: PathwayNode, to: string, decide: Choices): Edge {
  const on = decide.of([...listPorts(node), 'default'])
  return on === 'default' ? { from: node.id, to } : { from: node.id, on, to }
}

function changeNode(node: PathwayNode, decide: Choices): void {
  switch (node.type) {
    case 'http':
      if (decide.once(2)) node.retry = { max_attempts: 2 }
      else node.with = { ...node.with, url: 'http://other.test' }
      return
    case 'human':
      if (decide.once(2)) node.due = 'P9D'
      else node.title = 'Asked otherwise'
      return
    case 'loop':
      if (decide.once(2)) node.max += 1
      else node.until = 'iteration >= 2'
      return
    case 'map':
      node.concurrency = 1 + decide.below(3)
      return
    case 'join':
      node.mode = 'all'
      delete node.n
      return
    case 'transform':
      node.with = { value: 'other' }
      return
    case 'switch':
      return void node.cases.push({ port: 'third', when: 'true' })
    default:
      node.title = `Renamed ${node.id}`
  }
}
