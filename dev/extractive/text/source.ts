import type { Inquiry } from '../prompt.ts'
import { type Layout, layOut } from './layout.ts'

/** The text from which fields are read, prepared once for all fields. */
export interface Source extends Inquiry {
  layout: Layout
  /** True if the amounts in the text are in US dollars. `03/04/2026` is then March 4. */
  monthFirst: boolean
  /** Number of fields that may still be filled. The limit is needed for schemas that refer to themselves. */
  left: number
}

const MAX_FIELDS = 200

export function createSource(inquiry: Inquiry): Source {
  const { context } = inquiry
  return {
    ...inquiry,
    left: MAX_FIELDS,
    layout: layOut(context),
    monthFirst: /\bUSD\b|US\$/.test(context) || (/\$\s?\d/.test(context) && !/[€£]/.test(context)),
  }
}
