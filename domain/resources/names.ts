import { z } from 'zod'
import { INVISIBLE } from '../shared/text/invisible.ts'
import { FOLDER_PATTERN, folderProblem, MAX_PATH_BYTES } from './paths.ts'
import { MAX_SLUG_CHARS, SLUG, slugProblem } from '../shared/text/slug.ts'
import { MAX_TITLE_CHARS, titleProblem } from '../shared/text/title.ts'
import { findResourceKind, KIND_NAMES, RESOURCE_KINDS, type ResourceKind } from './kinds/index.ts'

/** Name of a kind, in plural or singular. The output is the plural. */
export const kindName = z
  .string()
  .transform((name, context): ResourceKind => {
    const definition = findResourceKind(name)
    if (definition) return definition.kind
    context.issues.push({ code: 'custom', input: name, message: `must be one of ${RESOURCE_KINDS.join(', ')}` })
    return z.NEVER
  })
  .meta({ type: 'string', enum: KIND_NAMES })

/** Returns a string schema with a rule that checks its limit as well, so that each problem is reported once. */
const withRule = (rule: (text: string) => string | undefined, limit: { maxLength: number; pattern?: string }) =>
  z
    .string()
    .superRefine((text, context) => {
      const message = rule(text)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
    .meta(limit)

export const title = withRule(titleProblem, { maxLength: MAX_TITLE_CHARS, pattern: `^[^\\p{Cc}${INVISIBLE}]+$` })
export const slug = withRule(slugProblem, { maxLength: MAX_SLUG_CHARS, pattern: SLUG.source })
/** Path of a folder. Its limit is in bytes of UTF-8. */
export const folderPath = withRule(folderProblem, { maxLength: MAX_PATH_BYTES, pattern: FOLDER_PATTERN })
