import { ROOT } from '../domain/paths.ts'

/** Stands for the slash: below every character a name may have. */
const SEPARATOR = '\u0001'
/** The next one: above all that is below a folder. */
const BEYOND = '\u0002'

/** Everything in a subtree, by `tree_key` (`from` included, `until` not). */
export interface Subtree {
  from: string
  until: string
}

/** How the column `tree_key` has a path. */
export const treeKey = (path: string): string => path.replaceAll('/', SEPARATOR)

/** The path a `tree_key` stands for. */
export const pathOf = (key: string): string => key.replaceAll(SEPARATOR, '/')

/** What the tree keys of all that is below a folder begin with, without the separator. */
export const baseOf = (folder: string): string => (folder === ROOT ? '' : treeKey(folder))

/** The folder itself and all below it. */
export const subtreeOf = (folder: string): Subtree => ({ from: treeKey(folder), until: beyond(folder) })

/** Comes after all that is in a folder and below it, and before its next sibling. */
export const beyond = (folder: string): string => baseOf(folder) + BEYOND

/** Comes before all that is below a folder, and after the folder itself unless that is the root. */
export const before = (folder: string): string => baseOf(folder) + SEPARATOR

/** The first key after that of a folder. */
export const next = (folder: string): string => treeKey(folder) + SEPARATOR
