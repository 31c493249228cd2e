import { ROOT } from '../domain/paths.ts'

/** Stands for the slash: below every character a name may have. */
const SEPARATOR = '\u0001'
/** The next one: above all that is below a folder. */
const UPPER_BOUND = '\u0002'

/** Everything in a subtree, by `tree_key` (`from` included, `until` not). */
export interface Subtree {
  from: string
  until: string
}

/** How the column `tree_key` has a path. */
export const toTreeKey = (path: string): string => path.replaceAll('/', SEPARATOR)

/** The path a `tree_key` stands for. */
export const toPath = (key: string): string => key.replaceAll(SEPARATOR, '/')

/** What the tree keys of all that is below a folder begin with, without the separator. */
export const toPrefix = (folder: string): string => (folder === ROOT ? '' : toTreeKey(folder))

/** The folder itself and all below it. */
export const toSubtree = (folder: string): Subtree => ({ from: toTreeKey(folder), until: toUpperBound(folder) })

/** Comes after all that is in a folder and below it, and before its next sibling. */
export const toUpperBound = (folder: string): string => toPrefix(folder) + UPPER_BOUND

/** Comes before all that is below a folder, and after the folder itself unless that is the root. */
export const toLowerBound = (folder: string): string => toPrefix(folder) + SEPARATOR

/** The first key after that of a folder. */
export const toSuccessor = (folder: string): string => toTreeKey(folder) + SEPARATOR
