import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import { findEventPermission, type WorkspaceEvent } from '../../../domain/webhooks/events.ts'
import type { Subscription, WorkspaceEntry } from '../../../domain/runs/job-event-source.ts'
import { DOCUMENT_KINDS } from '../../../domain/resources/kinds/index.ts'
import { canReadBrain } from '../../../services/access/brains.ts'
import type { Reach } from '../calls/reach.ts'
import type { McpCaller } from '../calls/call-tool.ts'
import { buildResourceUri } from '../resources/uris.ts'

/**
 * Publishes workspace changes as MCP events, limited to what the caller's permissions and toolkits allow. The source
 * is the workspace stream in Redis, so changes from every process are included.
 */
export function createEventBus(
  subscription: Subscription<WorkspaceEntry>,
  caller: McpCaller,
  { kinds }: Reach,
): ServerEventBus {
  const { principal } = caller
  const listeners = new Set<(event: ServerEvent) => void>()
  const publish = (event: ServerEvent) => {
    for (const listener of listeners) listener(event)
  }
  const isVisible = ({ type, brain_id }: WorkspaceEntry) =>
    principal.permissions.has(findEventPermission(type)) && canReadBrain(principal, brain_id)

  subscription.start({
    onEvent(entry) {
      if (entry.type.startsWith('resource.') && isVisible(entry))
        for (const event of createServerEvents(JSON.parse(entry.json) as WorkspaceEvent, kinds)) publish(event)
      return true
    },
    whenDrained: () => Promise.resolve(),
    /** Called when changes may have been missed, so that the client reloads its lists. */
    onGap: async () => {
      for (const kind of LISTS) publish({ kind })
    },
    onCaughtUp: () => Promise.resolve(),
    onAlreadyEnded: () => undefined,
  })

  return {
    publish,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const LISTS = ['tools_list_changed', 'prompts_list_changed', 'resources_list_changed'] as const

function createServerEvents({ type, resource }: WorkspaceEvent, kinds: Reach['kinds']): ServerEvent[] {
  if (!resource || type === 'resource.indexed') return []
  const events: ServerEvent[] = []
  const isRead = kinds.some(kind => kind === resource.type)
  if (type !== 'resource.created' && isRead)
    for (const name of [resource.id, resource.slug])
      events.push({ kind: 'resource_updated', uri: buildResourceUri(resource.type, name) })
  if (isRead && DOCUMENT_KINDS.some(kind => kind === resource.type)) events.push({ kind: 'resources_list_changed' })
  if (isRead && resource.type === 'skills') events.push({ kind: 'prompts_list_changed' })
  // Tools of workspace toolkits run pathways and neurons.
  if (resource.type === 'pathways' || resource.type === 'neurons') events.push({ kind: 'tools_list_changed' })
  return events
}
