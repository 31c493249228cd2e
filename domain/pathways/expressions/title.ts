import type { JsonValue } from '../../shared/json/json.ts'
import { cleanTitle } from '../../shared/text/title.ts'
import { ExpressionError } from './expression-error.ts'

/** Returns what an evaluation gives as a title. Nothing fails for its title: without a value it is ''. */
export function evaluateTitle(evaluate: () => JsonValue): string {
  try {
    const value = evaluate()
    return cleanTitle(typeof value === 'string' ? value : JSON.stringify(value))
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return ''
  }
}
