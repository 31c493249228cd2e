import { cut } from '../../shared/text/shorten.ts'

/** An expression that cannot be compiled when it is saved, or cannot be evaluated in a run. */
export class ExpressionError extends Error {
  readonly code: 'EXPRESSION_INVALID' | 'EXPRESSION_FAILED' | 'EXPRESSION_TOO_COSTLY'
  constructor(code: ExpressionError['code'], message: string) {
    super(message)
    this.name = 'ExpressionError'
    this.code = code
  }
}

export const invalidExpressionError = (message: string): ExpressionError =>
  new ExpressionError('EXPRESSION_INVALID', message)

/** Shortens an expression to at most 80 characters for messages. */
export const shorten = (source: string): string => (source.length > 80 ? `${cut(source, 77)}...` : source)
