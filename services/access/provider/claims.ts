import type { JWTPayload } from 'jose'
import type { Config } from '../../../config/config.ts'
import type { MappedRole } from '../../../config/provider-maps.ts'
import type { MemberProfile } from '../../../data/access/members-store.ts'
import { displayName, email, pictureUrl } from '../../../contract/access/member.ts'
import { isGroupName } from '../../../domain/access/principal.ts'

/** A user's fields from the identity provider. Undefined fields are unknown. */
export interface ProvidedFields {
  profile: Partial<MemberProfile>
  groups?: string[]
  /** The roles that the user's claims grant. */
  roles?: MappedRole[]
}

export type ClaimSettings = Partial<
  Pick<Config, 'OIDC_GROUPS_CLAIM' | 'OIDC_GROUP_MAP' | 'OIDC_ROLES_CLAIM' | 'OIDC_ROLE_MAP'>
>

/** Claims of a user, from the ID token and the UserInfo endpoint. */
export interface UserClaims {
  claims: JWTPayload
  /** False if the UserInfo endpoint failed, so that claims can be missing. */
  isComplete: boolean
}

const MAX_VALUES = 1_000
/** The largest number of groups that a member can be given. */
const MAX_GROUPS = 100

/** Reads a user's profile, groups and roles. Omits invalid values, and an email address that isn't verified. */
export function readProvidedFields(user: UserClaims, settings: ClaimSettings = {}): ProvidedFields {
  const { name, picture, email_verified, email: address } = user.claims
  const { OIDC_GROUPS_CLAIM: groupsClaim, OIDC_ROLES_CLAIM: rolesClaim = groupsClaim } = settings
  const { OIDC_GROUP_MAP: groupMap, OIDC_ROLE_MAP: roleMap } = settings
  const toGroup = (value: string) => (groupMap ? getOwn(groupMap, value) : `group:${value}`)
  const groups = readValues(user, groupsClaim)
    ?.map(toGroup)
    .filter((group): group is string => group !== undefined && isGroupName(group))
  return {
    profile: {
      display_name: displayName.safeParse(name).data,
      // Amazon Cognito sends the text "false".
      email: String(email_verified) === 'false' ? undefined : email.safeParse(address).data,
      picture_url: pictureUrl.safeParse(picture).data,
    },
    groups: groups && [...new Set(groups)].slice(0, MAX_GROUPS),
    roles:
      roleMap &&
      readValues(user, rolesClaim)
        ?.map(value => getOwn(roleMap, value))
        .filter(role => role !== undefined),
  }
}

/**
 * Returns the values of a claim. Without the claim, the user has none: providers omit empty claims. Returns undefined
 * if the values are unknown: no claim is configured, the UserInfo endpoint failed, or Entra ID replaced too many values
 * with a reference.
 */
function readValues({ claims, isComplete }: UserClaims, path: string | undefined): string[] | undefined {
  if (path === undefined) return undefined
  const value = findClaim(claims, path)
  if (value === undefined) {
    const { _claim_names: references } = claims
    const isElsewhere = typeof references === 'object' && references !== null && Object.hasOwn(references, path)
    return isComplete && !isElsewhere ? [] : undefined
  }
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return [...new Set(values.filter(entry => typeof entry === 'string'))].slice(0, MAX_VALUES)
}

/** Finds a claim by its name, or by a path such as `realm_access.roles`. */
export function findClaim(claims: JWTPayload, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? getOwn(value, name) : undefined),
      claims,
    )
}

const getOwn = <T>(record: Record<string, T> | object, name: string): T | undefined =>
  Object.hasOwn(record, name) ? (record as Record<string, T>)[name] : undefined
