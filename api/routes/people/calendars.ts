import type { CalendarsService } from '../../../services/people/calendars.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { noContent, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import * as schemas from '../../../contract/people/calendar.ts'

const tag = 'Interventions'

/**
 * Routes for the workspace's working calendars. A `human` node can name a calendar. The node's durations then count
 * only working time.
 */
export function calendarRoutes({ calendars }: { calendars: CalendarsService }): Route[] {
  const list = defineRoute({
    name: 'calendars.list',
    method: 'get',
    path: '/v1/calendars',
    summary: 'List working calendars',
    tag,
    access: allowReaders('interventions:read'),
    responses: { 200: { description: 'The calendars', schema: schemas.calendarList } },
    handler: async ({ principal }) => ok({ data: await calendars.list(principal) }),
  })

  const save = defineRoute({
    name: 'calendars.save',
    method: 'put',
    path: '/v1/calendars',
    summary: 'Create or replace a working calendar',
    description: 'Runs that have already started keep the calendar they started with.',
    tag,
    access: allowWriters('access:manage'),
    body: schemas.calendarBody,
    responses: { 200: { description: 'The calendar', schema: schemas.calendarView } },
    handler: async ({ principal, body: { name, ...calendar } }) => ok(await calendars.save(principal, name, calendar)),
  })

  const remove = defineRoute({
    name: 'calendars.delete',
    method: 'delete',
    path: '/v1/calendars/:name',
    summary: 'Delete a working calendar',
    description: 'Runs that name the calendar can no longer be started.',
    tag,
    access: allowWriters('access:manage'),
    params: schemas.calendarParams,
    responses: { 204: { description: 'Deleted' } },
    async handler({ principal, params }) {
      await calendars.remove(principal, params.name)
      return noContent()
    },
  })

  return [list, save, remove]
}
