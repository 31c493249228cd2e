import { z } from 'zod'
import { displayName, email, pictureUrl } from '../../../contract/access/member.ts'
import { line } from '../../../contract/shared/text.ts'
import { encodeScimId } from '../../../domain/access/scim-id.ts'
import { ScimProblem } from '../../../domain/access/scim-problem.ts'
import { type Role, ROLE_NAMES } from '../../../domain/access/permissions.ts'
import type { Person, ProvisionedGroup } from '../../../data/access/provisioning-store.ts'
import type { MemberProfile } from '../../../data/access/members-store.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'

const MAX_VALUES = 20
const MAX_MEMBERS = 10_000

/** Entra ID sends booleans as text in some requests. */
const flag = z.union([
  z.boolean(),
  z
    .string()
    .regex(/^(?:true|false)$/i)
    .transform(text => text.toLowerCase() === 'true'),
])
const text = line(500)
const values = <V extends z.ZodType>(value: V) =>
  z
    .array(z.object({ value, type: text.nullish(), display: text.nullish(), primary: flag.nullish() }))
    .max(MAX_VALUES)
    .optional()

/** The attributes of a user that clients can write. Other attributes are ignored. */
const userResource = z.object({
  userName: line(),
  externalId: text.optional(),
  name: z.object({ formatted: text.nullish(), familyName: text.nullish(), givenName: text.nullish() }).optional(),
  displayName: displayName.optional(),
  active: flag.optional(),
  emails: values(email),
  photos: values(pictureUrl),
  roles: values(z.enum(ROLE_NAMES)),
})
export type UserResource = z.output<typeof userResource>

const groupResource = z.object({
  displayName: displayName,
  externalId: text.optional(),
  members: z
    .array(z.object({ value: line(500) }))
    .max(MAX_MEMBERS)
    .optional(),
})
export type GroupResource = z.output<typeof groupResource>

/**
 * Parses a resource that a client sent. Attribute names are case-insensitive, and null means no value (RFC 7643). Throws
 * ScimProblem.
 */
function parseResource<S extends z.ZodObject>(schema: S, resource: unknown): z.output<S> {
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource))
    throw new ScimProblem('invalidSyntax', 'The body must be a JSON object')
  const names = new Map(Object.keys(schema.shape).map(name => [name.toLowerCase(), name]))
  const attributes = Object.entries(resource)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [names.get(name.toLowerCase()) ?? name, value])
  const parsed = schema.safeParse(Object.fromEntries(attributes))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new ScimProblem('invalidValue', `${issue?.path.join('.') ?? 'The body'}: ${issue?.message ?? 'is invalid'}`)
}

export const parseUser = (resource: unknown): UserResource => parseResource(userResource, resource)
export const parseGroup = (resource: unknown): GroupResource => parseResource(groupResource, resource)

/** Returns the member's profile. Attributes that the client didn't set are null. */
export const toProfile = ({ displayName, name, emails, photos }: UserResource): MemberProfile => ({
  display_name: displayName ?? name?.formatted ?? joinName(name),
  email: findPrimary(emails) ?? null,
  picture_url: findPrimary(photos) ?? null,
})

const joinName = (name: UserResource['name']): string | null =>
  [name?.givenName, name?.familyName].filter(Boolean).join(' ') || null

function findPrimary<V>(values: { value: V; primary?: boolean | null }[] | undefined): V | undefined {
  return (values?.find(({ primary }) => primary) ?? values?.[0])?.value
}

/** Returns the highest role that the client set. */
export const findRole = ({ roles }: UserResource): Role | undefined => {
  const names = new Set(roles?.map(({ value }) => value))
  return ROLE_NAMES.find(role => names.has(role))
}

/** Returns the attributes to store: `active` and `roles` are in the member. */
export const toStoredAttributes = ({ active: _active, roles: _roles, ...attributes }: UserResource) => attributes

/** A resource as clients see it. */
export type Resource = Record<string, unknown> & { id: string }

const toMeta = (resourceType: 'User' | 'Group', path: string) => ({ resourceType, location: path })

/** @param base address of the SCIM endpoint */
export function presentUser(person: Person, base: string): Resource {
  const { actor, active, role, groups, group_sources, display_name, email, picture_url, scim } = person
  const id = encodeScimId(actor)
  const own = groups.filter(group => group_sources[group] === 'scim')
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(scim ?? {
      userName: actor.slice(actor.indexOf(':') + 1),
      displayName: display_name ?? undefined,
      emails: email === null ? undefined : [{ value: email, type: 'work', primary: true }],
      photos: picture_url === null ? undefined : [{ value: picture_url, type: 'photo', primary: true }],
    }),
    active,
    roles: [{ value: role }],
    groups: own.map(group => ({
      value: encodeScimId(group),
      display: group.slice('group:'.length),
      $ref: `${base}/Groups/${encodeScimId(group)}`,
      type: 'direct',
    })),
    meta: toMeta('User', `${base}/Users/${id}`),
  }
}

/** @param members the people in the group. Undefined if the client excluded the attribute. */
export function presentGroup(group: ProvisionedGroup, members: string[] | undefined, base: string): Resource {
  const id = encodeScimId(group.name)
  return {
    schemas: [GROUP_SCHEMA],
    id,
    externalId: group.external_id ?? undefined,
    displayName: group.display_name,
    members: members?.map(actor => ({
      value: encodeScimId(actor),
      $ref: `${base}/Users/${encodeScimId(actor)}`,
      type: 'User',
    })),
    meta: toMeta('Group', `${base}/Groups/${id}`),
  }
}
