import type { Caller } from '../../../services/access/callers.ts'
import type { ListQuery, Provisioner, ResourceService } from '../../../services/access/scim/resource-service.ts'
import type { Resource } from '../../../services/access/scim/resources.ts'
import { NotFound, UnsupportedMediaType } from '../../../domain/shared/errors.ts'
import { parseJson } from '../../../domain/shared/json/parsing/parse-json.ts'
import { ScimProblem } from '../../../domain/access/scim-problem.ts'
import { allowKeys } from '../../routing/access.ts'
import type { Reply } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import type { AppContext } from '../../routing/state.ts'
import { buildServiceProviderConfig, listResourceTypes, listSchemas, MAX_COUNT } from '../../scim/discovery.ts'
import { SCIM_TYPE } from '../../scim/errors.ts'
import { SCIM_PATH } from '../../scim/paths.ts'
import { needs, parseProjection, project } from '../../scim/projection.ts'
import { getManager } from './manager.ts'

interface Request {
  by: Provisioner
  ctx: AppContext
  /** Id in the path. */
  id: string
  base: string
}

interface ScimServices {
  users: ResourceService
  groups: ResourceService
  /** The attribute that names members. It can't be changed. */
  nameAttribute: string
}

/** SCIM 2.0 (RFC 7643 and 7644) for provisioning members and groups from a directory. */
export function scimRoutes(
  { scim: { users, groups, nameAttribute } }: { scim: ScimServices },
  { baseUrl }: { baseUrl: string | undefined },
): Route[] {
  const route = (
    method: Route['method'],
    path: `/${string}`,
    [name, summary]: [name: string, summary: string],
    handle: (request: Request) => Promise<Reply>,
  ): Route =>
    defineRoute({
      name: `scim.${name}`,
      method,
      // The access of people ends even after the trial of the workspace.
      effect: method === 'get' ? 'read' : method === 'post' ? 'write' : 'stop',
      path: `${SCIM_PATH}${path}`,
      summary,
      tag: 'Access',
      access: allowKeys('members:provision'),
      isPublished: false,
      raw: true,
      responses: { 200: { description: 'A SCIM message' } },
      handler: async ({ caller, ctx }) => {
        const base = new URL(SCIM_PATH, baseUrl ?? `${ctx.protocol}://${ctx.host}`).href
        const { id = '' } = ctx.params as { id?: string }
        return handle({ by: toProvisioner(caller, base), ctx, id, base })
      },
    })

  const show = (resource: Resource, { ctx }: Request, status = 200): Reply => ({
    ...send(project(resource, parseProjection(toQuery(ctx))), status),
    headers: { 'Content-Type': SCIM_TYPE, ...(status === 201 && { Location: findLocation(resource) }) },
  })

  const resourceRoutes = (type: 'User' | 'Group', resources: ResourceService): Route[] => {
    const kind = type.toLowerCase()
    return [
      route('get', `/${type}s`, [`list${type}s`, `List ${kind}s`], async request => {
        const query = parseListQuery(request.ctx)
        return sendPage(request, query, await resources.list(request.by, query))
      }),
      route('post', `/${type}s`, [`create${type}`, `Create a ${kind}`], async request =>
        show(await resources.create(request.by, readJson(request.ctx)), request, 201),
      ),
      route('get', `/${type}s/:id`, [`read${type}`, `Read a ${kind}`], async request => {
        const withMembers = needs(parseProjection(toQuery(request.ctx)), 'members')
        return show(await resources.read(request.by, request.id, { withMembers }), request)
      }),
      route('put', `/${type}s/:id`, [`replace${type}`, `Replace a ${kind}`], async request =>
        show(await resources.replace(request.by, request.id, readJson(request.ctx)), request),
      ),
      route('patch', `/${type}s/:id`, [`patch${type}`, `Change a ${kind}`], async request =>
        show(await resources.patch(request.by, request.id, readJson(request.ctx)), request),
      ),
      route('delete', `/${type}s/:id`, [`delete${type}`, `Delete a ${kind}`], async ({ by, id }) => {
        await resources.delete(by, id)
        return { status: 204 }
      }),
    ]
  }

  return [
    route('get', '/ServiceProviderConfig', ['config', 'Read the SCIM features'], async ({ base }) =>
      send(buildServiceProviderConfig(base)),
    ),
    route('get', '/ResourceTypes', ['resourceTypes', 'List the SCIM resource types'], async ({ base }) =>
      sendList(listResourceTypes(base)),
    ),
    route('get', '/ResourceTypes/:id', ['resourceType', 'Read a SCIM resource type'], async ({ base, id }) =>
      send(findById(listResourceTypes(base), id)),
    ),
    route('get', '/Schemas', ['schemas', 'List the SCIM schemas'], async ({ base }) =>
      sendList(listSchemas(base, nameAttribute)),
    ),
    route('get', '/Schemas/:id', ['schema', 'Read a SCIM schema'], async ({ base, id }) =>
      send(findById(listSchemas(base, nameAttribute), id)),
    ),

    ...resourceRoutes('User', users),
    ...resourceRoutes('Group', groups),
  ]
}

const toProvisioner = (caller: Caller, base: string): Provisioner => ({
  manager: getManager(caller),
  principal: caller.principal,
  base,
})

const send = (body: unknown, status = 200): Reply & object => ({
  status,
  body,
  headers: { 'Content-Type': SCIM_TYPE },
})

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

const sendList = (resources: object[], total = resources.length, startIndex = 1): Reply =>
  send({
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  })

function sendPage(
  { ctx }: Request,
  { offset }: ListQuery,
  { resources, total }: { resources: Resource[]; total: number },
): Reply {
  const projection = parseProjection(toQuery(ctx))
  return sendList(
    resources.map(resource => project(resource, projection)),
    total,
    offset + 1,
  )
}

const findLocation = ({ meta }: Resource): string => (meta as { location: string }).location

function findById<T extends { id: string }>(entries: T[], id: string): T {
  const entry = entries.find(candidate => candidate.id === id)
  if (!entry) throw new NotFound(id)
  return entry
}

/** Returns the first value of each query parameter. */
const toQuery = ({ query }: AppContext): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]))

const DEFAULT_COUNT = 100
const MAX_START = 1_000_000_000

function parseListQuery(ctx: AppContext): ListQuery {
  const query = toQuery(ctx)
  const readNumber = (name: string, byDefault: number) => {
    const text = query[name]
    if (text === undefined) return byDefault
    if (!/^-?\d{1,9}$/.test(text)) throw new ScimProblem('invalidValue', `${name}: must be an integer`)
    return Number(text)
  }
  return {
    filter: query['filter'],
    limit: Math.min(Math.max(readNumber('count', DEFAULT_COUNT), 0), MAX_COUNT),
    offset: Math.min(Math.max(readNumber('startIndex', 1), 1), MAX_START) - 1,
    withMembers: needs(parseProjection(query), 'members'),
  }
}

const TYPES = new Set([SCIM_TYPE, 'application/json'])

function readJson(ctx: AppContext): unknown {
  if (!TYPES.has(ctx.request.type.toLowerCase()))
    throw new UnsupportedMediaType(`The Content-Type must be ${SCIM_TYPE} or application/json`)
  try {
    return parseJson(ctx.state.rawBody ?? Buffer.of())
  } catch (error) {
    throw new ScimProblem('invalidSyntax', error instanceof Error ? error.message : 'The body is not valid JSON')
  }
}
