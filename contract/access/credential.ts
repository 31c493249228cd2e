import { z } from 'zod'
import { isGroupName } from '../../domain/access/principal.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

const MAX_LIST = 100

export const name = line(100)
const group = line().refine(isGroupName, 'must be a group such as group:finance')
export const groups = z.array(group).max(MAX_LIST).optional()
export const givenBrains = {
  brain_ids: z.array(z.uuid()).min(1).max(MAX_LIST).optional().meta({ description: 'Default: all brains' }),
  default_brain_id: z
    .uuid()
    .optional()
    .meta({ description: 'The brain in which the credential works unless a request names one' }),
}
export const issued = {
  prefix: z.string().meta({ description: 'The beginning of the text, by which people recognize it' }),
  created_by: z.string().nullable().meta({ description: 'The person who made it; `operator` for the command line' }),
  created_at: timestamp,
  revoked_at: timestamp.nullable(),
  last_used_at: timestamp.nullable().meta({ description: 'To the minute' }),
}
export const boundBrains = {
  brain_ids: z.array(z.uuid()).nullable().meta({ description: 'Null for all brains' }),
  default_brain_id: z.uuid().nullable(),
}
