import type { Problem } from '../../../domain/shared/json/json.ts'
import { toPointer } from '../../../domain/shared/zod-problems.ts'

/** Warns of the missing secrets that a reflex names, by header. */
export const missingSecrets = (named: Record<string, string>, missing: ReadonlySet<string>): Problem[] =>
  Object.entries(named).flatMap(([header, name]) => (missing.has(name) ? [createWarning(header, name)] : []))

const createWarning = (header: string, name: string): Problem => ({
  pointer: toPointer(['secrets', header]),
  message: `there is no secret "${name}" for this workspace: calls fail until it is created`,
})
