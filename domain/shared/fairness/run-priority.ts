/** Temporal's default. Among waiting tasks, those with a lower number run first. */
const NORMAL = 3
const LOWEST = 5
/** Priority of schedule decisions. They are short and come before the work of other runs. */
export const FIRING_PRIORITY = NORMAL - 1
/** A new run has normal priority while its workspace has fewer runs in progress than this. */
export const MAX_NORMAL_RUNS = 50
/** A new child run has normal priority while its parent has started fewer children than this. */
const MAX_NORMAL_CHILDREN = 20

/**
 * Returns the priority of a run started by a request. @param inProgress number of the workspace's runs in progress,
 * counted up to the maximum
 */
export const findRootPriority = (inProgress: number): number => (inProgress < MAX_NORMAL_RUNS ? NORMAL : NORMAL + 1)

/** Facts that determine the priority of a child run. */
interface Siblings {
  /** Priority of the parent run. */
  parent: number | undefined
  /** Whether the parent run is itself a child. */
  isNested: boolean
  /** Number of children that the parent started before. */
  earlier: number
}

/**
 * Returns the priority of a child run. It is lower in a large tree, so that single runs from other workspaces come
 * first.
 */
export function findChildPriority({ parent = NORMAL, isNested, earlier }: Siblings): number {
  const ownPriority = NORMAL + Number(isNested) + Number(earlier >= MAX_NORMAL_CHILDREN)
  return Math.min(Math.max(ownPriority, parent), LOWEST)
}
