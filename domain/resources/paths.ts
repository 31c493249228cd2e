import { INVISIBLE, invisibleProblem } from '../shared/text/invisible.ts'

const HIDDEN = String.raw`\p{Cc}${INVISIBLE}`
const FOLDER_NAME = String.raw`[^/\s${HIDDEN}](?:[^/${HIDDEN}]*[^/\s${HIDDEN}])?`
/** Maximum length of a path in bytes of UTF-8. An index sorts paths, and its entries have at most 2,700 bytes. */
export const MAX_PATH_BYTES = 1_000
/** The form of a path for other programs: `.` and `..` fit it, and are refused. */
export const FOLDER_PATTERN = `^/(?:${FOLDER_NAME}(?:/${FOLDER_NAME})*)?$`
const CONTROL = /\p{Cc}/u

/** The root of all folders. */
export const ROOT = '/'

/** Returns the problem of the path of a folder as the end of a sentence, or undefined. */
export function folderProblem(path: string): string | undefined {
  if (new TextEncoder().encode(path).length > MAX_PATH_BYTES) return `must be at most ${MAX_PATH_BYTES} bytes long`
  if (path === ROOT) return undefined
  const folders = path.split('/').slice(1)
  const fine = path.startsWith('/') && folders.every(name => name.trim() === name && !['', '.', '..'].includes(name))
  return fine && !CONTROL.test(path) && path.isWellFormed()
    ? invisibleProblem(path)
    : 'must be a folder such as /finance/invoices, or / for the root'
}

/** Returns the path of a child of a folder. */
export const joinPath = (folder: string, name: string): string => `${folder === ROOT ? '' : folder}/${name}`

/** Returns the last part of a path. */
export const getBaseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Whether the path is that of the folder or below it. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === ROOT || path === folder || path.startsWith(`${folder}/`)
