import type { z } from 'zod'
import type { TriggerType } from '../type.ts'
import { chat } from './chat.ts'
import { event } from './event.ts'
import { manual } from './manual.ts'
import { schedule } from './schedule.ts'
import { webhook } from './webhook.ts'

export const TRIGGER_TYPES = { schedule, webhook, chat, manual, event } as const satisfies Record<string, TriggerType>

export type TriggerTypeName = keyof typeof TRIGGER_TYPES

export const TRIGGER_TYPE_NAMES = Object.keys(TRIGGER_TYPES) as [TriggerTypeName, ...TriggerTypeName[]]

/** The settings of each type, as in a trigger document. */
export type TriggerSettings = { [T in TriggerTypeName]: z.output<(typeof TRIGGER_TYPES)[T]['settings']> }

export const getTriggerType = (name: TriggerTypeName): TriggerType => TRIGGER_TYPES[name]
