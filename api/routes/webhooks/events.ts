import * as schemas from '../../../contract/webhooks/event.ts'
import { allowReaders } from '../../routing/access.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import type { WorkspaceStreams } from '../../sse/workspace-streams.ts'
import { resumePoint } from '../runs/jobs/resume-point.ts'

/** The stream of a workspace's events. */
export function eventRoutes(_services: unknown, { workspaceStreams }: { workspaceStreams: WorkspaceStreams }): Route[] {
  const stream = defineRoute({
    name: 'events.stream',
    method: 'get',
    path: '/v1/events/stream',
    summary: 'Stream the events of the workspace',
    description:
      'Server-sent events in the form of a job stream, for changes of resources, runs and interventions, as far as the permissions of the caller to read them go. They name what has changed; its content is read by id. ' +
      'The stream begins with a `position` and goes on until the client disconnects. To resume, pass the last id as `after` or as `Last-Event-ID`; a `gap` says that events since then are no longer kept. ' +
      'The events of one resource, job or intervention come in order.',
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
