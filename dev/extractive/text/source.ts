import type { Inquiry } from '../prompt.ts'
import { type Layout, layOut } from './layout.ts'

/** The text that fields are read from, prepared once for all of them. */
export interface Source extends Inquiry {
  layout: Layout
  /** True when the text uses US dollars: `03/04/2026` is then the fourth of March. */
  monthFirst: boolean
  /** The number of fields that may still be filled. It bounds a schema that refers to itself. */
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
