import { z } from 'zod'
import type { Problem } from '../../shared/json/json.ts'
import { prefixPointers } from '../../shared/json/json-pointer.ts'
import { findFilterProblem, findMappingProblems } from '../../triggers/mapping.ts'
import { TARGET_KINDS, type TargetType } from '../../triggers/target.ts'
import {
  getTriggerType,
  TRIGGER_TYPE_NAMES,
  TRIGGER_TYPES,
  type TriggerSettings,
  type TriggerTypeName,
} from '../../triggers/types/index.ts'
import { description, json, reference } from '../fields.ts'
import { defineKind, joinParagraphs } from '../kind.ts'

const limits = z.strictObject({
  /** Maximum number of runs started per hour. */
  runs_per_hour: z.int().min(1).max(1_000_000).optional(),
  /** Maximum number of unfinished runs started by the trigger. */
  runs_at_once: z.int().min(1).max(100_000).optional(),
  /** Maximum cost of the trigger's runs per calendar month (UTC). */
  usd_per_month: z.number().positive().max(1_000_000_000).optional(),
})

type SettingsShape = { [T in TriggerTypeName]: z.ZodOptional<(typeof TRIGGER_TYPES)[T]['settings']> }

const settings = Object.fromEntries(
  Object.entries(TRIGGER_TYPES).map(([name, { settings }]) => [name, settings.optional()]),
) as unknown as SettingsShape

const document = z.strictObject({
  description,
  trigger_type: z.enum(TRIGGER_TYPE_NAMES).default('manual'),
  /** Target of the trigger: the head, or a fixed version with `@version`. */
  target: z.strictObject({ type: z.enum(Object.keys(TARGET_KINDS) as [TargetType]), ref: reference }),
  /** Run input with `${event.name}` placeholders. The default depends on the trigger type. */
  input: json.optional(),
  /** CEL over `event`. The trigger fires if it returns true. */
  filter: z.string().min(1).max(4_000).optional(),
  limits: limits.default({}),
  paused: z.boolean().default(false),
  /** Reason why the trigger is paused. */
  pause_note: z.string().min(1).max(500).optional(),
  ...settings,
})

export type TriggerDocument = z.output<typeof document> & Partial<TriggerSettings>

export const triggers = defineKind({
  kind: 'triggers',
  singular: 'trigger',
  document,
  problems: trigger => [...settingsProblems(trigger), ...expressionProblems(trigger)],
  text: ({ description }) => joinParagraphs(description),
  metadata: ({ trigger_type }) => ({ trigger_type }),
})

function settingsProblems(trigger: TriggerDocument): Problem[] {
  const { trigger_type } = trigger
  const type = getTriggerType(trigger_type)
  const typeSettings = trigger[trigger_type]
  const foreign = TRIGGER_TYPE_NAMES.filter(name => name !== trigger_type && trigger[name] !== undefined)
  return [
    ...foreign.map(name => ({ pointer: `/${name}`, message: `must only be set for a trigger of type ${name}` })),
    ...(type.isRequired && typeSettings === undefined
      ? [{ pointer: `/${trigger_type}`, message: `is required for a trigger of type ${trigger_type}` }]
      : []),
    ...(typeSettings === undefined ? [] : prefixPointers(`/${trigger_type}`, type.problems?.(typeSettings) ?? [])),
  ]
}

function expressionProblems({ filter, input }: TriggerDocument): Problem[] {
  const message = filter === undefined ? undefined : findFilterProblem(filter)
  return [
    ...(message === undefined ? [] : [{ pointer: '/filter', message }]),
    ...(input === undefined ? [] : prefixPointers('/input', findMappingProblems(input))),
  ]
}
