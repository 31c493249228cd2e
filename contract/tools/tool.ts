import { z } from 'zod'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { TOOL_EFFECTS, TOOL_SOURCES, type ToolSpec } from '../../domain/tools/tool-spec.ts'
import { jsonValue } from '../shared/json.ts'
import { pageSchema } from '../shared/page.ts'
import { line } from '../shared/text.ts'

export const callBody = z.strictObject({
  reflex: line().optional().meta({
    description:
      'Slug or id of the reflex, optionally with @version. Required if several reflexes have a tool with this name.',
  }),
  arguments: (z.record(z.string(), jsonValue) as z.ZodRecord & z.ZodType<JsonObject>)
    .default({})
    .meta({ description: "Arguments, validated against the tool's parameters" }),
})

export const tool = z
  .object({
    name: z.string(),
    description: z.string(),
    parameters: z.custom<JsonObject>().meta({ type: 'object', description: 'JSON Schema for the arguments' }),
    effect: z.enum(TOOL_EFFECTS).meta({
      description: 'Side effect of a call: none (`read`), safe to repeat (`idempotent`) or unsafe to repeat (`write`)',
    }),
    is_short: z.literal(true).optional().meta({
      description: 'Read-only calls usually take less than half a second. Runs execute them without a separate task.',
    }),
    source: z.enum(TOOL_SOURCES),
    reflex: z.object({ id: z.uuid(), slug: z.string(), version: z.int() }),
    target: z.string().optional().meta({ description: 'Pathway or neuron that the tool runs' }),
  })
  .meta({ id: 'Tool' }) satisfies z.ZodType<ToolSpec>

export const toolPage = pageSchema(tool)

export const toolOutput = z
  .object({ output: jsonValue, job_id: z.string() })
  .meta({ id: 'ToolOutput', description: 'Output of the tool' })
