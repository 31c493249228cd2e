import { z } from 'zod'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { TOOL_EFFECTS, TOOL_SOURCES, type ToolSpec } from '../../domain/tools/tool-spec.ts'
import { jsonValue } from '../shared/json.ts'
import { pageSchema } from '../shared/page.ts'
import { line } from '../shared/text.ts'

export const callBody = z.strictObject({
  reflex: line().optional().meta({
    description:
      'Slug or id of the reflex, optionally with @version. Required if several reflexes have a tool of this name.',
  }),
  arguments: (z.record(z.string(), jsonValue) as z.ZodRecord & z.ZodType<JsonObject>)
    .default({})
    .meta({ description: 'Validated against the parameters of the tool' }),
})

export const tool = z
  .object({
    name: z.string(),
    description: z.string(),
    parameters: z.custom<JsonObject>().meta({ type: 'object', description: 'JSON Schema of the arguments' }),
    effect: z.enum(TOOL_EFFECTS).meta({
      description:
        'Side effect of a call: none (`read`), safe to repeat (`idempotent`) or not safe to repeat (`write`)',
    }),
    is_short: z.literal(true).optional().meta({
      description:
        'A call changes nothing and mostly takes less than half a second. Runs make it without a task of its own.',
    }),
    source: z.enum(TOOL_SOURCES),
    reflex: z.object({ id: z.uuid(), slug: z.string(), version: z.int() }),
    target: z.string().optional().meta({ description: 'The pathway or neuron that the tool runs' }),
  })
  .meta({ id: 'Tool' }) satisfies z.ZodType<ToolSpec>

export const toolPage = pageSchema(tool)

export const toolOutput = z
  .object({ output: jsonValue, job_id: z.string() })
  .meta({ id: 'ToolOutput', description: 'The output of the tool' })
