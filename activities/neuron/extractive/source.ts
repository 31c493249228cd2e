import type { Asked } from './prompt.ts'
import { type Layout, layOut } from './layout.ts'

/** The text that fields are read from, prepared once for all of them. */
export interface Source extends Asked {
  layout: Layout
  /** `03/04/2026` is the fourth of March: the text counts in US dollars. */
  monthFirst: boolean
}

export function createSource(asked: Asked): Source {
  const { context } = asked
  return {
    ...asked,
    layout: layOut(context),
    monthFirst: /\bUSD\b|US\$/.test(context) || (/\$\s?\d/.test(context) && !/[€£]/.test(context)),
  }
}
