import type { AbsencesService } from '../../../services/people/absences.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { noContent, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { errorBody } from '../../../contract/shared/error.ts'
import * as schemas from '../../../contract/people/absence.ts'

const tag = 'Interventions'
const saveResponses = { 200: { description: 'The absence', schema: schemas.absenceView } }
const endResponses = {
  204: { description: 'The absence was ended' },
  404: { description: 'The person has no absence', schema: errorBody },
}

/** Routes for absences and substitutes. People set their own absences, and admins set other people's. */
export function absenceRoutes({ absences }: { absences: AbsencesService }): Route[] {
  const list = defineRoute({
    name: 'absences.list',
    method: 'get',
    path: '/v1/absences',
    summary: 'List current and future absences',
    tag,
    access: allowReaders('interventions:read'),
    responses: { 200: { description: 'The absences', schema: schemas.absenceList } },
    handler: async ({ principal }) => ok({ data: await absences.list(principal) }),
  })

  const saveOwn = defineRoute({
    name: 'absences.saveOwn',
    method: 'put',
    path: '/v1/absence',
    summary: "Set the caller's substitute",
    tag,
    access: allowWriters('interventions:answer'),
    body: schemas.absenceBody,
    responses: saveResponses,
    handler: async ({ principal, body }) => ok(await absences.save(principal, principal.person, body)),
  })

  const endOwn = defineRoute({
    name: 'absences.endOwn',
    method: 'delete',
    path: '/v1/absence',
    summary: "End the caller's absence",
    tag,
    access: allowWriters('interventions:answer'),
    responses: endResponses,
    async handler({ principal }) {
      await absences.end(principal, principal.person)
      return noContent()
    },
  })

  const save = defineRoute({
    name: 'absences.save',
    method: 'put',
    path: '/v1/absences',
    summary: "Set a person's substitute",
    tag,
    access: allowWriters('access:manage'),
    body: schemas.absenceOfBody,
    responses: saveResponses,
    handler: async ({ principal, body: { actor, ...absence } }) => ok(await absences.save(principal, actor, absence)),
  })

  const end = defineRoute({
    name: 'absences.end',
    method: 'delete',
    path: '/v1/absences/:actor',
    summary: "End a person's absence",
    tag,
    access: allowWriters('access:manage'),
    params: schemas.absenceParams,
    responses: endResponses,
    async handler({ principal, params }) {
      await absences.end(principal, params.actor)
      return noContent()
    },
  })

  return [list, saveOwn, endOwn, save, end]
}
