import { z } from 'zod'
import { INVISIBLE } from '../shared/text/invisible.ts'
import { FOLDER_PATTERN, folderProblem, MAX_PATH_BYTES } from './paths.ts'
import { MAX_SLUG_CHARS, SLUG, slugProblem } from '../shared/text/slug.ts'
import { MAX_TITLE_CHARS, titleProblem } from '../shared/text/title.ts'
import { findResourceKind, KIND_NAMES, RESOURCE_KINDS, type ResourceKind } from './kinds/index.ts'

/** Plural or singular name of a kind. The output is the plural. */
export const kindName = z
  .string()
  .transform((name, context): ResourceKind => {
    const definition = findResourceKind(name)
    if (definition) return definition.kind
    context.issues.push({ code: 'custom', input: name, message: `must be one of ${RESOURCE_KINDS.join(', ')}` })
    return z.NEVER
  })
  .meta({ type: 'string', enum: KIND_NAMES })

/** Returns a string schema whose rule also checks the limit, so that each problem is reported once. */
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
/** Folder path. The length limit is in UTF-8 bytes. */
export const folderPath = withRule(folderProblem, { maxLength: MAX_PATH_BYTES, pattern: FOLDER_PATTERN })
