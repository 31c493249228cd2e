/** The graph of a pathway, with only the node fields that are displayed. */
export interface Graph {
  /** Left to right instead of top to bottom. */
  direction?: 'LR'
  nodes: GraphNode[]
  edges: { from: string; to: string; port: string }[]
}

export interface GraphNode {
  id: string
  type: string
  title: string
  /** The graph that a map or loop repeats. */
  body?: Graph
}

type Fields = Record<string, unknown>

export const DEFAULT_PORT = 'default'

/** Start of an expression. A title with an expression is resolved only in a run. */
const EXPRESSION = '${'

/** Converts a definition to a graph. Skips incomplete parts of unfinished text. */
export function parseGraph(definition: unknown): Graph {
  const { nodes, edges } = (definition ?? {}) as Fields
  return {
    nodes: listDistinct(listObjects(nodes).flatMap(parseNodes), ({ id }) => id),
    edges: listDistinct(listObjects(edges).flatMap(parseEdges), ({ from, port, to }) => `${from} ${port} ${to}`),
  }
}

function parseNodes({ id, type, title, body }: Fields): GraphNode[] {
  if (!isText(id)) return []
  return [
    {
      id,
      type: isText(type) ? type : 'other',
      title: isText(title) && !title.includes(EXPRESSION) ? title : id,
      ...(typeof body === 'object' && body !== null && { body: parseGraph(body) }),
    },
  ]
}

const parseEdges = ({ from, on, to }: Fields): Graph['edges'] =>
  isText(from) && isText(to) ? [{ from, to, port: isText(on) ? on : DEFAULT_PORT }] : []

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const listObjects = (list: unknown): Fields[] =>
  Array.isArray(list) ? list.filter((item): item is Fields => typeof item === 'object' && item !== null) : []

/** Removes duplicates, because the graph cannot contain two items with the same name. */
const listDistinct = <T>(items: T[], toName: (item: T) => string): T[] => [
  ...new Map(items.map(item => [toName(item), item])).values(),
]
