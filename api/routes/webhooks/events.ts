import * as schemas from '../../../contract/webhooks/event.ts'
import { allowReaders } from '../../routing/access.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import type { WorkspaceStreams } from '../../sse/workspace-streams.ts'
import { resumePoint } from '../runs/jobs/resume-point.ts'

/** Routes for a workspace's event stream. */
export function eventRoutes(_services: unknown, { workspaceStreams }: { workspaceStreams: WorkspaceStreams }): Route[] {
  const stream = defineRoute({
    name: 'events.stream',
    method: 'get',
    path: '/v1/events/stream',
    summary: 'Stream workspace events',
    description:
      'Server-sent events in the format of a job stream, for changes to resources, runs and interventions. ' +
      'You receive only events that your permissions allow you to read. Each event names the changed item; ' +
      'use its id to read the content. The stream starts with a `position` event and continues until the ' +
      'client disconnects. To resume, pass the last id as `after` or as `Last-Event-ID`. A `gap` event ' +
      'means that events after that id are no longer kept. Events for the same resource, job or ' +
      'intervention arrive in order.',
    tag: 'Events',
    access: allowReaders(null),
    query: schemas.eventsQuery,
    responses: { 200: { description: 'The events', schema: schemas.workspaceEvent, mediaType: 'text/event-stream' } },
    async handler({ principal, query, ctx }) {
      const after = resumePoint(ctx, query.after)
      await workspaceStreams.serve(ctx, { principal }, { after, types: query.types })
      return 'streamed'
    },
  })

  return [stream]
}
