import type { Problem } from '../../shared/json/json.ts'
import { type Body, DEFAULT_PORT, ERROR_PORT, type PathwayNode, TIMEOUT_PORT } from '../definition.ts'
import { getNodeKind } from '../kinds/index.ts'

/** Lists all ports of a node. */
export function listPorts(node: PathwayNode): string[] {
  const timeout = ('due' in node && node.due) || node.timeout ? [TIMEOUT_PORT] : []
  const error = node.type === 'end' ? [] : [ERROR_PORT]
  return [...getNodeKind(node.type).ports(node), ...timeout, ...error]
}

/**
 * Lists the problems with a graph's edges and compensations: unknown nodes and ports, duplicates, cycles, missing
 * edges.
 */
export function edgeProblems(body: Body, at: string): Problem[] {
  const nodes = new Map(body.nodes.map(node => [node.id, node]))
  const problems = body.edges.flatMap((edge, i) => {
    const bodyProblems: Problem[] = []
    const pointer = `${at}/edges/${i}`
    const from = nodes.get(edge.from)
    if (!from)
      bodyProblems.push({ pointer: `${pointer}/from`, message: `there is no node "${edge.from}" in this graph` })
    else if (!listPorts(from).includes(edge.on ?? DEFAULT_PORT))
      bodyProblems.push({ pointer: `${pointer}/on`, message: describePortProblem(from, edge.on) })
    if (!nodes.has(edge.to))
      bodyProblems.push({ pointer: `${pointer}/to`, message: `there is no node "${edge.to}" in this graph` })
    return bodyProblems
  })
  return [
    ...problems,
    ...duplicateProblems(body, at),
    ...cycleProblems(body, at),
    ...openPortProblems(body, at),
    ...compensationProblems(body, at),
  ]
}

function describePortProblem(from: PathwayNode, on = DEFAULT_PORT): string {
  const ports = listPorts(from)
  if (ports.length === 0) return `"${from.id}" is an end node: it must not have outgoing edges`
  return `"${from.id}" has no port "${on}"; it has ${ports.join(', ')}`
}

function duplicateProblems(body: Body, at: string): Problem[] {
  const ids = new Set<string>()
  return body.edges.flatMap((edge, i) => {
    const text = JSON.stringify([edge.from, edge.on ?? DEFAULT_PORT, edge.to])
    if (ids.has(text)) return [{ pointer: `${at}/edges/${i}`, message: 'duplicate edge' }]
    ids.add(text)
    return []
  })
}

/** Searches depth-first. Reports each edge that closes a cycle, with the nodes in the cycle. */
function cycleProblems(body: Body, at: string): Problem[] {
  const outgoing = Map.groupBy(
    body.edges.map((edge, i) => ({ ...edge, i })),
    edge => edge.from,
  )
  const state = new Map<string, 'open' | 'done'>()
  const problems: Problem[] = []
  const visit = (id: string, way: string[]): void => {
    state.set(id, 'open')
    for (const edge of outgoing.get(id) ?? []) {
      if (state.get(edge.to) === 'open') {
        const circle = [...way.slice(way.indexOf(edge.to)), edge.to].join(' -> ')
        problems.push({
          pointer: `${at}/edges/${edge.i}`,
          message: `closes a cycle: ${circle}; use a loop node to repeat steps`,
        })
      } else if (!state.has(edge.to)) visit(edge.to, [...way, edge.to])
    }
    state.set(id, 'done')
  }
  for (const { id } of body.nodes) if (!state.has(id)) visit(id, [id])
  return problems
}

/** Lists the ports of human nodes, other than `error`, that have no edge. */
function openPortProblems(body: Body, at: string): Problem[] {
  return body.nodes.flatMap((node, i) => {
    if (node.type !== 'human') return []
    const usedPorts = new Set(body.edges.filter(edge => edge.from === node.id).map(edge => edge.on ?? DEFAULT_PORT))
    const open = listPorts(node).filter(port => port !== ERROR_PORT && !usedPorts.has(port))
    return open.map(port => ({
      pointer: `${at}/nodes/${i}`,
      message: `"${node.id}" has no edge on "${port}": the run could not continue from there`,
    }))
  })
}

function compensationProblems(body: Body, at: string): Problem[] {
  const nodes = new Map(body.nodes.map(node => [node.id, node]))
  return body.nodes.flatMap((node, i) => {
    if (!node.compensate) return []
    const pointer = `${at}/nodes/${i}/compensate`
    const handler = nodes.get(node.compensate)
    if (!handler) return [{ pointer, message: `there is no node "${node.compensate}" in this graph` }]
    if (getNodeKind(handler.type).effect?.canCompensate?.(handler) !== true)
      return [{ pointer, message: 'only an http or neuron node can compensate another' }]
    if (handler.compensate)
      return [
        { pointer, message: `"${handler.id}" compensates another node, so it must not have a compensation itself` },
      ]
    if (body.edges.some(edge => edge.from === handler.id || edge.to === handler.id)) {
      return [{ pointer, message: `"${handler.id}" compensates another node, so it must not have edges` }]
    }
    const first = body.nodes.find(other => other.compensate === handler.id)
    if (first && first !== node) return [{ pointer, message: `"${handler.id}" already compensates "${first.id}"` }]
    return []
  })
}
