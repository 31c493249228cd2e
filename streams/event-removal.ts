import type { Redis } from 'ioredis'
import type { WorkspaceEvent } from '../domain/webhooks/events.ts'
import { orUnavailable } from './redis.ts'
import { type StoredEntry, workspaceStream } from './stream-entries.ts'

/**
 * Removes events about these resources from a workspace stream, because such events contain slugs and folders. Throws
 * Unavailable.
 */
export type RemoveEvents = (workspaceId: string, resourceIds: string[]) => Promise<void>

const BATCH = 1_000

export function createEventRemoval(redis: Redis): RemoveEvents {
  return async (workspaceId, resourceIds) => {
    const { key } = workspaceStream(workspaceId)
    const ids = new Set(resourceIds)
    const isAbout = ([, [, json = '{}']]: StoredEntry): boolean => {
      const { resource } = JSON.parse(json) as WorkspaceEvent
      return resource !== undefined && ids.has(resource.id)
    }
    let from = '-'
    for (;;) {
      const entries: StoredEntry[] = await orUnavailable(redis.xrange(key, from, '+', 'COUNT', BATCH))
      const about = entries.filter(isAbout).map(([id]) => id)
      if (about.length > 0) await orUnavailable(redis.xdel(key, ...about))
      const last = entries.at(-1)
      if (!last || entries.length < BATCH) return
      from = `(${last[0]}`
    }
  }
}
