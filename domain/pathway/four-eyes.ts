import type { PathwayDefinition, PathwayNode } from './definition.ts'
import { listNodes } from './list-nodes.ts'

/** A definition, with all pathways that it refers to. */
interface Followed {
  definition: PathwayDefinition
  subflows: Record<string, { definition: PathwayDefinition }>
}

/**
 * Whether there is a decision that the requester of a run may not take. What such a run does is changed by its requester
 * only: any other person who changed it could then decide about it.
 */
export const excludesRequester = ({ definition, subflows }: Followed): boolean =>
  [definition, ...Object.values(subflows).map(subflow => subflow.definition)].some(body =>
    listNodes(body).some(excludes),
  )

const excludes = (node: PathwayNode): boolean => node.type === 'human' && node.exclude_requester === true

/** Says why another person may not move such a run. */
export const describeFourEyes = (requester: string): string =>
  `the pathway has a decision that its requester may not take: only ${requester} may move the run`
