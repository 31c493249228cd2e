import { ROOT } from '../../domain/resources/paths.ts'

/** Replaces the slash. It sorts below all characters that a name may have. */
const SEPARATOR = '\u0001'
/** The next character. It sorts above all keys below a folder. */
const UPPER_BOUND = '\u0002'

/** The range of a subtree by `tree_key` (`from` included, `until` excluded). */
export interface Subtree {
  from: string
  until: string
}

/** Converts a path to the value of column `tree_key`. */
export const toTreeKey = (path: string): string => path.replaceAll('/', SEPARATOR)

/** Converts a `tree_key` to its path. */
export const toPath = (key: string): string => key.replaceAll(SEPARATOR, '/')

/** Returns the prefix of all tree keys below a folder, without the separator. */
export const getPrefix = (folder: string): string => (folder === ROOT ? '' : toTreeKey(folder))

/** Returns the range of a folder and its subtree. */
export const getSubtree = (folder: string): Subtree => ({ from: toTreeKey(folder), until: getUpperBound(folder) })

/** Returns a key after the subtree of a folder and before its next sibling. */
export const getUpperBound = (folder: string): string => getPrefix(folder) + UPPER_BOUND

/** Returns a key before all keys below a folder. It is after the key of the folder, except for the root. */
export const getLowerBound = (folder: string): string => getPrefix(folder) + SEPARATOR

/** Returns the first key after the key of a folder. */
export const getSuccessor = (folder: string): string => toTreeKey(folder) + SEPARATOR
