import { describeLabels, joinLabels, type Labels } from '../labels/labels.ts'
import type { Problem } from '../../shared/json/json.ts'
import type { Graph, GraphNode } from '../graph.ts'
import { type FlowScope, labelAllReads, listUntrustedReads } from './label-reads.ts'

const REMEDY = 'Add an approval before this node, limit the value with a schema, or set trust'

/**
 * Lists the templates that pass untrusted content to an effect without a decision, a schema or `trust`. The workflow
 * input counts as trusted here, because the caller is unknown before a run starts.
 */
export function findFlowProblems(graph: Graph): Problem[] {
  const nodes = listAll(graph)
  const labels = computeLabels(nodes)
  return nodes.flatMap(node => {
    const reads = (node.kind.sinks?.(node.node) ?? []).flatMap(at => {
      const binding = node.bindings.get(at)
      return binding ? listUntrustedReads(node, binding, createFlowScope(node, labels)) : []
    })
    return reads.map(({ at, path, labels }) => ({
      pointer: at,
      message: `sends ${path.join('.')}, which contains untrusted content: ${describeLabels(labels)}. ${REMEDY}`,
    }))
  })
}

const listAll = (graph: Graph): GraphNode[] =>
  [...graph.nodes.values()].flatMap(node => (node.body ? [node].concat(listAll(node.body)) : [node]))

/** Computes the labels of all outputs. Label sets only grow, so the computation terminates even with loop results. */
function computeLabels(nodes: GraphNode[]): ReadonlyMap<string, Labels> {
  const labels = new Map<string, Labels>()
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const node of nodes) {
      const next = labelOutput(node, labels)
      if (next.length > (labels.get(node.node.id)?.length ?? 0)) isChanged = true
      labels.set(node.node.id, next)
    }
  }
  return labels
}

/** Lists the last nodes of a graph. The result of a body comes from these nodes. */
const listLast = ({ nodes }: Graph): GraphNode[] => [...nodes.values()].filter(({ outgoing }) => outgoing.length === 0)

function labelOutput(node: GraphNode, labels: ReadonlyMap<string, Labels>): Labels {
  if (node.body) return joinLabels(...listLast(node.body).map(({ node }) => labels.get(node.id)))
  const read = node.kind.isOpaque ? [] : labelAllReads(node, createFlowScope(node, labels))
  return joinLabels(node.kind.labels?.(node.node), read)
}

const createFlowScope = (reader: GraphNode, labels: ReadonlyMap<string, Labels>): FlowScope => ({
  input: [],
  node: id => labels.get(id) ?? [],
  variable: name => labelVariable(reader.graph, name, labels),
})

function labelVariable({ parent }: Graph, name: string, labels: ReadonlyMap<string, Labels>): Labels {
  if (!parent) return []
  if (name === 'item' && parent.node.type === 'map') return labelAllReads(parent, createFlowScope(parent, labels))
  if (name === 'last' && parent.node.type === 'loop') return labels.get(parent.node.id) ?? []
  return labelVariable(parent.graph, name, labels)
}
