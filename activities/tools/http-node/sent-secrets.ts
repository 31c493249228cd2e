import { SAFE_HEADERS } from '../../../domain/tools/headers.ts'
import type { HttpStep } from './http-step.ts'

const SECRET_PARAMETER = /key|token|secret|sig|pass|auth|credential|^t$|^code$/i

/** Returns the values of a request that may be secret: header values, and query parameters with names of secrets. */
export function listSecrets({ headers, url }: HttpStep): string[] {
  const values = Object.keys(headers).flatMap(name => (SAFE_HEADERS.has(name) ? [] : (headers[name] ?? '')))
  const parameters = [...new URL(url).searchParams].filter(([name]) => SECRET_PARAMETER.test(name))
  return [...values, ...parameters.map(([, value]) => value)]
}
