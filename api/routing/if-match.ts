import { ValidationError } from '../../domain/shared/errors.ts'
import type { AppContext } from './state.ts'

const FORM = /^(?:W\/)?"?([1-9]\d{0,9})"?$/
/** Pattern of an `If-Match` header: a version, or `*` for any version. */
export const IF_MATCH = `^\\*$|${FORM.source}`

/**
 * Returns the version that a write expects, from the `If-Match` header (the `ETag` of a read; `*` matches any
 * version) or from `expected_version` in the body. Throws ValidationError if the header is not a version or if the
 * two differ.
 */
export function expectedVersion(ctx: AppContext, inBody: number | undefined): number | undefined {
  const header = ctx.get('If-Match').trim()
  if (!header || header === '*') return inBody
  const [, digits] = FORM.exec(header) ?? []
  if (!digits) throw new ValidationError('If-Match must be a version such as "3"')
  const version = Number(digits)
  if (inBody !== undefined && inBody !== version)
    throw new ValidationError('If-Match and expected_version must be the same version')
  return version
}

export const etag = (version: number) => ({ ETag: `"${version}"` })
