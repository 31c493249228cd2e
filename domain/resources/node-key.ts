import { folderProblem } from './paths.ts'
import { isUuid } from '../shared/uuid.ts'

export const folderKey = (path: string): string => `folder:${path}`
export const resourceKey = (id: string): string => `resource:${id}`

/** Returns undefined if the text is not a key. */
export function parseNodeKey(key: string): NodeKey | undefined {
  const colon = key.indexOf(':')
  const [kind, rest] = [key.slice(0, colon), key.slice(colon + 1)]
  if (kind === 'folder' && folderProblem(rest) === undefined) return { folder: rest }
  return kind === 'resource' && isUuid(rest) ? { resource: rest } : undefined
}

export const formatNodeKey = (key: NodeKey): string =>
  'folder' in key ? folderKey(key.folder) : resourceKey(key.resource)

export type NodeKey = { folder: string } | { resource: string }
