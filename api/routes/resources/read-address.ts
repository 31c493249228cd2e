import { ValidationError } from '../../../domain/shared/errors.ts'
import { parseReference } from '../../../services/pathways/references.ts'

/**
 * Returns the resource and version that a read request names: `onboard@1` is version 1 of `onboard`. Throws
 * ValidationError if the query names a different version.
 */
export function readAddress(reference: string, version?: number): { id: string; version: number | undefined } {
  const { name: id, version: named = version } = parseReference(reference)
  if (version === undefined || version === named) return { id, version: named }
  const message = `must be ${named}, as in the path, or omitted`
  throw new ValidationError('The request names two different versions', [{ pointer: '/version', message }])
}
