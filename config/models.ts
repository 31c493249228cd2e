import { z } from 'zod'
import type { ModelEntry } from '../domain/agents/models/model-info.ts'
import { createModelRegistry, type ModelSettings } from '../domain/agents/models/registry.ts'
import { jsonSetting } from './json-setting.ts'

const MAX_MODELS = 1_000
const price = z.number().nonnegative()

const entry = z.strictObject({
  id: z.string().min(1).max(200),
  context_window: z.int().positive().optional(),
  max_output_tokens: z.int().positive().optional(),
  usd_per_mtok: z.strictObject({ input: price, output: price, cached_input: price.optional() }).optional(),
  capabilities: z.array(z.string().min(1).max(50)).max(50).optional(),
}) satisfies z.ZodType<ModelEntry>

const entries = z
  .array(entry)
  .max(MAX_MODELS)
  .superRefine((list, context) => {
    for (const [place, { id }] of list.entries())
      if (list.findIndex(other => other.id === id) < place)
        context.addIssue({ code: 'custom', path: [place, 'id'], message: `${id} is defined twice` })
  })

/** Reads models from a JSON list, or from the path of a file that contains one. */
export const modelList = jsonSetting('[', 'a JSON list').pipe(entries)

/** Returns why the default model, if set, cannot be used. */
export function modelProblems(settings: ModelSettings): [setting: string, message: string][] {
  if (settings.MODEL_DEFAULT === undefined) return []
  const lookup = createModelRegistry(settings).find()
  return 'problem' in lookup ? [['MODEL_DEFAULT', lookup.problem]] : []
}
