import type { Body } from './definition.ts'
import { listNodes } from './list-nodes.ts'

/** Lists the events that the `wait` nodes of a graph and its bodies wait for. */
export const listEvents = (body: Body): string[] =>
  listNodes(body).flatMap(node => (node.type === 'wait' ? (node.event ?? []) : []))
