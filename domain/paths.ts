/** Bytes in UTF-8: paths are sorted by an index, whose entries may have no more than 2,700. */
export const MAX_PATH_BYTES = 1_000
const CONTROL = /\p{Cc}/u

/** The root of all folders. */
export const ROOT = '/'

/** What is wrong with the path of a folder, as the end of a sentence; undefined when it is one. */
export function folderProblem(path: string): string | undefined {
  if (new TextEncoder().encode(path).length > MAX_PATH_BYTES) return `must be at most ${MAX_PATH_BYTES} bytes long`
  if (path === ROOT) return undefined
  const folders = path.split('/').slice(1)
  const fine = path.startsWith('/') && folders.every(name => name.trim() === name && !['', '.', '..'].includes(name))
  return fine && !CONTROL.test(path) && path.isWellFormed()
    ? undefined
    : 'must be a folder such as /finance/invoices, or / for the root'
}

/** The path of a folder's child. */
export const joinPath = (folder: string, name: string): string => `${folder === ROOT ? '' : folder}/${name}`

/** The last part of a path. */
export const toBaseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** True for the folder itself and all below it. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === ROOT || path === folder || path.startsWith(`${folder}/`)
