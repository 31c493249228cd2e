import { isDeepStrictEqual } from 'node:util'
import type { JWTPayload } from 'jose'
import { writeAudit } from '../../data/audit/audit-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import { lockMember, type MemberProfile, saveMember } from '../../data/access/members-store.ts'
import { displayName, email, pictureUrl } from '../../contract/access/member.ts'
import type { Manager } from './manager.ts'

/** The fields of a member that the identity provider returned at a sign-in. Absent fields stay unchanged. */
export interface ProvidedFields {
  profile: Partial<MemberProfile>
}

/** Reads the standard claims of a user. Omits invalid values, and an email address that the provider hasn't verified. */
export function readProvidedFields(claims: JWTPayload): ProvidedFields {
  const { name, picture, email_verified } = claims
  return {
    profile: {
      display_name: displayName.safeParse(name).data,
      email: email_verified === false ? undefined : email.safeParse(claims['email']).data,
      picture_url: pictureUrl.safeParse(picture).data,
    },
  }
}

/** Updates the member who signs in. Does nothing if the person is not a member or nothing changed. */
export async function updateFromProvider(tx: Tx, by: Manager, { profile }: ProvidedFields): Promise<void> {
  const before = await lockMember(tx, by.actor)
  if (!before) return
  const after = {
    ...before,
    display_name: profile.display_name ?? before.display_name,
    email: profile.email ?? before.email,
    picture_url: profile.picture_url ?? before.picture_url,
  }
  if (isDeepStrictEqual(before, after)) return
  await saveMember(tx, after)
  const details = { role: after.role, groups: after.groups }
  await writeAudit(tx, by, { action: 'member.set', target: by.actor, before, after, details })
}
