import type { JsonValue } from '../../shared/json/json.ts'
import { cleanTitle } from '../../shared/text/title.ts'
import { ExpressionError } from './expression-error.ts'

/** Evaluates a title. Returns '' if the title has no value, so that a title never causes a failure. */
export function evaluateTitle(evaluate: () => JsonValue): string {
  try {
    const value = evaluate()
    return cleanTitle(typeof value === 'string' ? value : JSON.stringify(value))
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return ''
  }
}
