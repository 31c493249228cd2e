import { randomUUID } from 'node:crypto'
import { BOUND_KEY_PERMISSIONS } from '../../../domain/access/permissions.ts'
import { HIDDEN_KINDS, RESOURCE_KINDS } from '../../../domain/resources/kinds/index.ts'
import type { Owned } from './one-of-everything.ts'
import { CONTENTS } from './request-contents.ts'

/** An operation of the OpenAPI document. */
export interface Operation {
  /** For example `POST /v1/jobs/{jobId}/cancel`. */
  name: string
  /** True if the operation accepts a JSON body, which may name a brain. */
  hasBody: boolean
  needsBody: boolean
  requiredQuery: string[]
  isStream: boolean
  /** True if the operation needs no key. */
  isPublic: boolean
}

/** A request that names another key's objects. */
export interface WalkRequest {
  operation: Operation
  method: string
  path: string
  body?: object
}

/** The objects that requests refer to. */
export interface Target {
  owned: Owned
  marker: string
  workspace: { id: string; slug: string }
}

interface OpenApiOperation {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { required: boolean }
  responses: Record<string, { content?: object }>
  security?: object[]
  'x-permission'?: string
  'x-internal'?: true
}

export interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>
}

export function listOperations({ paths }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(isOfKeys)
      .map(([method, { parameters = [], requestBody, responses, security }]) => ({
        name: `${method.toUpperCase()} ${path}`,
        hasBody: requestBody !== undefined,
        needsBody: requestBody?.required === true,
        requiredQuery: parameters.filter(one => one.in === 'query' && one.required).map(({ name }) => name),
        isStream: 'text/event-stream' in (responses[200]?.content ?? {}),
        isPublic: security?.length === 0,
      })),
  )
}

/**
 * The keys of the walk cannot use routes for sessions, share tokens or hook tokens, or routes whose permission
 * depends on the name.
 */
const isOfKeys = ([, { operationId, security = [], 'x-permission': permission, 'x-internal': internal }]: [
  string,
  OpenApiOperation,
]): boolean =>
  !internal &&
  operationId !== 'public.receiveHook' &&
  (permission === undefined || BOUND_KEY_PERMISSIONS.some(one => one === permission)) &&
  (security.length === 0 || security.some(one => 'apiKey' in one))

/**
 * Builds the requests of an operation for every object that its path can name. Throws for a new operation whose path
 * parameter, required query parameter or body has no value yet.
 */
export function buildRequests(operation: Operation, target: Target): WalkRequest[] {
  const [method = '', template = ''] = operation.name.split(' ')
  const contents = CONTENTS[operation.name]?.(target) ?? [{}]
  for (const { body, query = '' } of contents)
    if (
      (operation.needsBody && !body) ||
      (body && !operation.hasBody) ||
      operation.requiredQuery.some(name => !query.includes(`${name}=`))
    )
      throw new Error(`request-contents.ts has no complete request of ${operation.name}`)
  return fillPath(template, target).flatMap(path =>
    contents.map(({ query, body }) => ({ operation, method, path: query ? `${path}?${query}` : path, body })),
  )
}

/** Replaces the path parameters one by one with all possible values. */
function fillPath(path: string, target: Target): string[] {
  const [hole, name = ''] = /\{(\w+)\}/.exec(path) ?? []
  if (hole === undefined) return [path]
  const values = listValues(name, path, target)
  if (values.length === 0) throw new Error(`requests.ts has no value of ${hole} in ${path}`)
  return values.flatMap(value => fillPath(path.replace(hole, value), target))
}

function listValues(name: string, path: string, { owned, workspace }: Target): string[] {
  const [, , first = '', second = ''] = path.split('/')
  const values: Record<string, string[] | undefined> = {
    actor: ['user:cy'],
    channel: ['support'],
    subject: ['user:ann'],
    catalog: [...RESOURCE_KINDS, ...HIDDEN_KINDS],
    deliveryId: owned.deliveries,
    node_id: ['eve'],
    firing_id: owned.firings ?? [randomUUID()],
    id: owned[first === 'resources' ? second : first],
    jobId: owned.jobs,
    name: ['read_resource'],
    slug_or_id: owned.receptors,
    traceId: [...(owned.traces ?? []), 'new'],
    version: ['1'],
    workspace_slug: [workspace.slug],
  }
  return values[name] ?? []
}
