import type { Body } from './definition.ts'

/** Lists the events that the `wait` nodes of a graph and its bodies wait for. */
export const listEvents = ({ nodes }: Body): string[] =>
  nodes.flatMap(node => {
    if (node.type === 'wait') return node.event ?? []
    return 'body' in node ? listEvents(node.body) : []
  })
