import { z } from 'zod'
import { ROLE_NAMES } from '../../domain/access/permissions.ts'
import { pageSchema } from '../shared/page.ts'
import { groups } from './credential.ts'

export const memberBody = z.strictObject({
  role: z.enum(ROLE_NAMES).optional().meta({ description: 'Default: the current role, or `builder`' }),
  groups: groups.meta({ description: 'Default: the current groups, or none' }),
})
export const member = z
  .object({ actor: z.string(), role: z.enum(ROLE_NAMES), groups: z.array(z.string()) })
  .meta({ id: 'Member' })
export const memberPage = pageSchema(member)
