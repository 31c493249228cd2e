/** Temporal's default. Of the tasks that wait, those with a lower number are next. */
const NORMAL = 3
const LOWEST = 5
/** Priority of the decision about a time of a schedule. It is short, and is due before the work of other runs. */
export const FIRING_PRIORITY = NORMAL - 1
/** Runs in progress of a workspace up to which a new one has normal priority. */
export const MAX_NORMAL_RUNS = 50
/** The same for the child runs that one run has started. */
const MAX_NORMAL_CHILDREN = 20

/** Returns the priority of a run that a request starts. @param inProgress runs of the workspace, counted up to the maximum */
export const findRootPriority = (inProgress: number): number => (inProgress < MAX_NORMAL_RUNS ? NORMAL : NORMAL + 1)

/** What the priority of a child run depends on. */
interface Siblings {
  /** The priority of the run that starts it. */
  parent: number | undefined
  /** True when that run is itself a child. */
  isNested: boolean
  /** Children that it has started before. */
  earlier: number
}

/** Returns the priority of a child run: lower in a large tree, so that single runs of others are next. */
export function findChildPriority({ parent = NORMAL, isNested, earlier }: Siblings): number {
  const ownPriority = NORMAL + Number(isNested) + Number(earlier >= MAX_NORMAL_CHILDREN)
  return Math.min(Math.max(ownPriority, parent), LOWEST)
}
