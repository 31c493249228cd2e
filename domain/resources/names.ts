import { z } from 'zod'
import { folderProblem } from '../paths.ts'
import { findResourceKind, RESOURCE_KINDS, type ResourceKind } from './kinds/index.ts'

/** Name of a kind, in plural or singular. The output is the plural. */
export const kindName = z
  .string()
  .max(100)
  .transform((name, context): ResourceKind => {
    const found = findResourceKind(name)
    if (found) return found.kind
    context.issues.push({ code: 'custom', input: name, message: `must be one of ${RESOURCE_KINDS.join(', ')}` })
    return z.NEVER
  })

/** Path of a folder. */
export const folderPath = z.string().superRefine((path, context) => {
  const message = folderProblem(path)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})
