import { normalizeAttribute } from '../../domain/access/scim-attribute.ts'
import type { Resource } from '../../services/access/scim/resources.ts'

/** The attributes that the client wants, in lower case. */
export interface Projection {
  attributes?: string[]
  excludedAttributes?: string[]
}

const ALWAYS = new Set(['schemas', 'id', 'meta'])

/** Parses the query parameters `attributes` and `excludedAttributes`. */
export function parseProjection(query: Record<string, string | undefined>): Projection {
  const split = (list: string | undefined) => list?.split(',').map(normalizeAttribute).filter(Boolean)
  return { attributes: split(query['attributes']), excludedAttributes: split(query['excludedAttributes']) }
}

/** Whether the resource needs this attribute. */
export function needs({ attributes, excludedAttributes }: Projection, name: string): boolean {
  if (attributes) return attributes.some(path => path === name || path.startsWith(`${name}.`))
  return !excludedAttributes?.includes(name)
}

/** Removes the attributes that the client doesn't want, and undefined attributes. */
export function project(resource: Resource, projection: Projection): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(resource)
      .filter(([name, value]) => value !== undefined && (ALWAYS.has(name) || needs(projection, name.toLowerCase())))
      .map(([name, value]) => [name, ALWAYS.has(name) ? value : projectValue(value, name.toLowerCase(), projection)]),
  )
}

/** Removes sub-attributes, as in `attributes=name.givenName`. */
function projectValue(value: unknown, parent: string, { attributes, excludedAttributes = [] }: Projection): unknown {
  const isWanted = (name: string) => {
    const path = `${parent}.${name.toLowerCase()}`
    return attributes ? attributes.includes(parent) || attributes.includes(path) : !excludedAttributes.includes(path)
  }
  const strip = (object: object) => Object.fromEntries(Object.entries(object).filter(([name]) => isWanted(name)))
  if (Array.isArray(value)) return value.map(entry => (typeof entry === 'object' && entry ? strip(entry) : entry))
  return typeof value === 'object' && value !== null ? strip(value) : value
}
