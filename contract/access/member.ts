import { z } from 'zod'
import { GROUP_SOURCES, ROLE_NAMES, ROLE_SOURCES } from '../../domain/access/permissions.ts'
import { pageSchema } from '../shared/page.ts'
import { commaList, flag, pageQuery } from '../shared/query.ts'
import { line, visibleLine } from '../shared/text.ts'
import { groups } from './credential.ts'

export const MAX_EMAIL = 254
const MAX_URL = 2_000
export const displayName = visibleLine().regex(/\S/u, 'must not be blank')
export const email = z.email().max(MAX_EMAIL)
export const pictureUrl = z.url({ protocol: /^https$/ }).max(MAX_URL)

export const memberBody = z.strictObject({
  role: z.enum(ROLE_NAMES).optional().meta({ description: 'Default: the current role, or `builder`' }),
  groups: groups.meta({ description: 'Default: the current groups, or none' }),
  display_name: displayName
    .nullable()
    .optional()
    .meta({ description: 'Name that people see. Default: the current name' }),
  email: email.nullable().optional().meta({ description: 'Default: the current address' }),
  picture_url: pictureUrl.nullable().optional().meta({ description: '`https` URL. Default: the current picture' }),
})
/** A member's role, groups and profile. Omitted fields stay unchanged. */
export type MemberBody = z.output<typeof memberBody>
/** Fields of a view that show and reach a member. */
export const profileFields = {
  display_name: z.string().nullable(),
  email: z.string().nullable(),
  picture_url: z.string().nullable(),
}
export const member = z
  .object({
    actor: z.string(),
    role: z.enum(ROLE_NAMES),
    groups: z.array(z.string()),
    ...profileFields,
    group_sources: z
      .record(z.string(), z.enum(GROUP_SOURCES))
      .meta({ description: 'Source of each group that was not set by hand' }),
    role_source: z.enum(ROLE_SOURCES).meta({ description: '`manual` if the role was set by hand' }),
  })
  .meta({ id: 'Member' })
export const memberPage = pageSchema(member)

export const membersQuery = pageQuery.extend({
  active: flag.prefault('true').meta({ description: '`false` lists the deactivated members instead' }),
})
export const namesQuery = z.object({
  actors: commaList(line()).meta({ description: 'Names to look up' }),
})
export const memberNames = z
  .object({ data: z.array(z.object({ actor: z.string(), display_name: z.string() })) })
  .meta({ id: 'MemberNames' })
