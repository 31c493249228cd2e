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
    .meta({ description: 'Brain that requests with the credential use unless they name another one' }),
}
export const issued = {
  prefix: z
    .string()
    .meta({ description: "First characters of the credential's text, so that people can recognize it" }),
  created_by: z
    .string()
    .nullable()
    .meta({ description: 'Person who created the credential; `operator` if it was created on the command line' }),
  created_at: timestamp,
  revoked_at: timestamp.nullable(),
  last_used_at: timestamp.nullable().meta({ description: 'Accurate to the minute' }),
}
export const boundBrains = {
  brain_ids: z.array(z.uuid()).nullable().meta({ description: 'Null for all brains' }),
  default_brain_id: z.uuid().nullable(),
}
