import { INVISIBLE, invisibleProblem } from '../shared/text/invisible.ts'

const HIDDEN = String.raw`\p{Cc}${INVISIBLE}`
const FOLDER_NAME = String.raw`[^/\s${HIDDEN}](?:[^/${HIDDEN}]*[^/\s${HIDDEN}])?`
/** Maximum path length in UTF-8 bytes. Paths are indexed, and index entries have at most 2,700 bytes. */
export const MAX_PATH_BYTES = 1_000
/** Folder pattern for other programs. It also matches `.` and `..`, which the API rejects. */
export const FOLDER_PATTERN = `^/(?:${FOLDER_NAME}(?:/${FOLDER_NAME})*)?$`
const CONTROL = /\p{Cc}/u

/** The root folder. */
export const ROOT = '/'

/** Returns the problem with a folder path as the end of a sentence, or undefined. */
export function folderProblem(path: string): string | undefined {
  if (new TextEncoder().encode(path).length > MAX_PATH_BYTES) return `must be at most ${MAX_PATH_BYTES} bytes long`
  if (path === ROOT) return undefined
  const folders = path.split('/').slice(1)
  const fine = path.startsWith('/') && folders.every(name => name.trim() === name && !['', '.', '..'].includes(name))
  return fine && !CONTROL.test(path) && path.isWellFormed()
    ? invisibleProblem(path)
    : 'must be a folder such as /finance/invoices, or / for the root'
}

/** Returns the path of a child in a folder. */
export const joinPath = (folder: string, name: string): string => `${folder === ROOT ? '' : folder}/${name}`

/** Returns the last part of a path. */
export const getBaseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Returns whether the path is the folder or is below it. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === ROOT || path === folder || path.startsWith(`${folder}/`)
