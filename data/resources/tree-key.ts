import { ROOT } from '../../domain/resources/paths.ts'

/** Replaces the slash. It sorts below every character that a name may contain. */
const SEPARATOR = '\u0001'
/** The character after the separator. A key that ends with it sorts above all keys in the folder. */
const UPPER_BOUND = '\u0002'

/** The `tree_key` range of a subtree, from `from` (inclusive) to `until` (exclusive). */
export interface Subtree {
  from: string
  until: string
}

/** Converts a path to its `tree_key`. */
export const toTreeKey = (path: string): string => path.replaceAll('/', SEPARATOR)

/** Converts a `tree_key` to its path. */
export const toPath = (key: string): string => key.replaceAll(SEPARATOR, '/')

/** Returns the prefix of all tree keys below a folder, without the separator. */
export const getPrefix = (folder: string): string => (folder === ROOT ? '' : toTreeKey(folder))

/** Returns the range of a folder with its subtree. */
export const getSubtree = (folder: string): Subtree => ({ from: toTreeKey(folder), until: getUpperBound(folder) })

/** Returns a key between the end of a folder's subtree and the folder's next sibling. */
export const getUpperBound = (folder: string): string => getPrefix(folder) + UPPER_BOUND

/** Returns a key below all keys inside a folder. It is above the folder's own key, except for the root. */
export const getLowerBound = (folder: string): string => getPrefix(folder) + SEPARATOR

/** Returns the first key after the folder's own key. */
export const getSuccessor = (folder: string): string => toTreeKey(folder) + SEPARATOR
