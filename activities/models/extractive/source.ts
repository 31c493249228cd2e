import type { Asked } from './prompt.ts'
import { type Layout, layOut } from './layout.ts'

/** The text that fields are read from, prepared once for all of them. */
export interface Source extends Asked {
  layout: Layout
  /** `03/04/2026` is the fourth of March: the text counts in US dollars. */
  monthFirst: boolean
  /** Fields that may still be filled: a schema that refers to itself in many places would never end. */
  left: number
}

const MAX_FIELDS = 200

export function createSource(asked: Asked): Source {
  const { context } = asked
  return {
    ...asked,
    left: MAX_FIELDS,
    layout: layOut(context),
    monthFirst: /\bUSD\b|US\$/.test(context) || (/\$\s?\d/.test(context) && !/[€£]/.test(context)),
  }
}
