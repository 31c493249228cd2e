import { z } from 'zod'
import { MAX_SLUG_CHARS } from '../../domain/shared/text/slug.ts'
import { MAX_TOOLKIT_TOOLS, TOOLKIT_TARGETS } from '../../domain/tools/mcp-toolkits.ts'
import { TOOL_NAME } from '../../domain/tools/names.ts'
import { jsonValue } from '../shared/json.ts'
import { pageSchema } from '../shared/page.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

const type = z.enum(TOOLKIT_TARGETS)
const description = z.string().max(2_000).nullable()

const toolFields = z.strictObject({
  type,
  ref: line().min(1).meta({ description: 'Id or slug of a pathway or a neuron' }),
  name: z
    .string()
    .regex(TOOL_NAME, 'must start with a letter and have at most 64 letters, digits, _ and -')
    .optional()
    .meta({ description: 'Name, unique in the toolkit. Default: `run_<slug>`, with the slug at the time of saving.' }),
  description: description
    .optional()
    .meta({ description: 'Default: the description of the resource, or its title if it has none' }),
})

export type ToolFields = z.output<typeof toolFields>

export const toolkitBody = z.strictObject({
  name: line(100),
  slug: line(MAX_SLUG_CHARS).optional().meta({
    description: 'Slug, unique in the workspace. Default: derived from the name; on a change, the current slug.',
  }),
  description: description.optional(),
  tools: z.array(toolFields).max(MAX_TOOLKIT_TOOLS),
})

export type ToolkitFields = z.output<typeof toolkitBody>

const tool = z.object({
  type,
  ref: z.uuid().meta({ description: 'Id of the resource' }),
  name: z.string(),
  description: z.string().nullable().meta({ description: 'Null to use the description of the resource' }),
  resource: z
    .object({ slug: z.string(), title: z.string(), version: z.int(), is_active: z.boolean() })
    .nullable()
    .meta({ description: 'Null if the resource is deleted or not visible from the brain in the request' }),
})

export type ToolView = z.output<typeof tool>

const commonFields = {
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  version: z.int(),
  created_by: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
}

const input_schema = z
  .record(z.string(), jsonValue)
  .nullable()
  .meta({ description: 'JSON Schema for the arguments. Null if the tool cannot be called.' })

const toolkit = z.object({ ...commonFields, tools: z.array(tool) }).meta({ id: 'McpToolkit' })

export type ToolkitView = z.output<typeof toolkit>

export const toolkitPage = pageSchema(toolkit)
export const toolkitDetail = z
  .object({ ...commonFields, tools: z.array(tool.extend({ input_schema })) })
  .meta({ id: 'McpToolkitDetail' })

export type ToolkitDetail = z.output<typeof toolkitDetail>

export type ToolDetail = ToolkitDetail['tools'][number]
