import { escapePointer } from '../../shared/json/json-pointer.ts'
import type { JsonValue, Problem } from '../../shared/json/json.ts'
import { FULL_LIMITS } from '../../shared/fairness/work-limits.ts'
import { ExpressionError } from './expression-error.ts'
import { createCompiler, type Expression } from './expression.ts'
import type { Scope } from './program.ts'
import { Meter } from './meter.ts'

type Compile = (source: string) => Expression

/** A JSON value whose strings may contain `${expressions}`. */
export interface Template {
  expressions: PlacedExpression[]
  /** CEL type of a string. `dyn` if it is unknown before the evaluation; absent for other values. */
  type?: string
  /** `mark` transforms the texts that expressions insert into strings. */
  evaluate(scope: Scope, mark?: Mark): JsonValue
}

/** Returns an expression's text as it is inserted into a string. */
export type Mark = (text: string, expression: PlacedExpression) => string

/** An expression with the pointer to its string. */
export interface PlacedExpression extends Expression {
  at: string
  /** Whether the expression is the whole string. */
  isWhole: boolean
}

/** Returns whether a string may contain an expression. */
export const hasExpression = (text: string): boolean => text.includes('${')

/** Part of a string: literal text, or the source of an expression. */
type Piece = { text: string } | { source: string }

/**
 * Compiles a value. A string that is exactly one `${…}` keeps the type of the value. Other strings interpolate it.
 * `$${` produces `${`. Each problem is reported with its pointer below `at`. A template with problems must not be
 * evaluated.
 */
export function compileTemplate(
  value: JsonValue,
  compile: Compile,
  report: (pointer: string, message: string) => void,
  at = '',
): Template {
  if (typeof value === 'string') return stringTemplate(value, compile, message => report(at, message), at)
  if (Array.isArray(value)) {
    const parts = value.map((part, i) => compileTemplate(part, compile, report, `${at}/${i}`))
    return combine(parts, (scope, mark) => parts.map(part => part.evaluate(scope, mark)))
  }
  if (typeof value === 'object' && value !== null) return objectTemplate(value, compile, report, at)
  return constant(value)
}

/** A standalone template with the problems of its expressions. */
export interface CheckedTemplate {
  /** Pointers are relative to the value. */
  problems: Problem[]
  /** Throws ExpressionError if the template has problems or an expression fails. */
  evaluate(scope: Scope): JsonValue
}

/** Compiles a value whose expressions can use these names and share one budget. */
export function checkTemplate(value: JsonValue, names: readonly string[], limits = FULL_LIMITS): CheckedTemplate {
  const meter = new Meter(limits)
  const problems: Problem[] = []
  const compile = createCompiler(names, meter)
  const template = compileTemplate(value, compile, (pointer, message) => problems.push({ pointer, message }))
  return {
    problems,
    evaluate(scope) {
      if (problems[0] !== undefined) throw new ExpressionError('EXPRESSION_INVALID', problems[0].message)
      meter.start()
      return template.evaluate(scope)
    },
  }
}

function objectTemplate(
  value: Record<string, JsonValue>,
  compile: Compile,
  report: (pointer: string, message: string) => void,
  at: string,
): Template {
  const entries = Object.entries(value).map(
    ([key, part]) => [key, compileTemplate(part, compile, report, `${at}/${escapePointer(key)}`)] as const,
  )
  return combine(
    entries.map(([, part]) => part),
    (scope, mark) => Object.fromEntries(entries.map(([key, part]) => [key, part.evaluate(scope, mark)])),
  )
}

function stringTemplate(text: string, compile: Compile, report: (message: string) => void, at: string): Template {
  const pieces = split(text, report)
  if (!pieces) return constant(text)
  const compiled = pieces.map(piece => ('text' in piece ? piece.text : compileOrReport(piece.source, compile, report)))
  const isWhole = compiled.length === 1
  const parts = compiled.map(piece => (typeof piece === 'object' ? Object.assign({ at, isWhole }, piece) : piece))
  const expressions = parts.filter(piece => typeof piece === 'object')
  const [only] = expressions
  if (isWhole && only)
    return {
      expressions,
      type: only.type,
      evaluate: (scope, mark) => {
        const value = only.evaluate(scope)
        return mark && typeof value === 'string' ? mark(value, only) : value
      },
    }
  return {
    expressions,
    type: 'string',
    evaluate: (scope, mark = text => text) =>
      parts
        .map(piece => (typeof piece === 'object' ? mark(asText(piece.evaluate(scope)), piece) : (piece ?? '')))
        .join(''),
  }
}

function compileOrReport(source: string, compile: Compile, report: (message: string) => void): Expression | undefined {
  try {
    return compile(source)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    report(`\${${source}}: ${error.message}`)
    return undefined
  }
}

/**
 * Splits a string at its `${…}` expressions, which may contain braces and quotes. Returns undefined if there are
 * none.
 */
function split(text: string, report: (message: string) => void): Piece[] | undefined {
  if (!hasExpression(text)) return undefined
  const pieces: Piece[] = []
  let literal = ''
  for (let i = 0; i < text.length;) {
    if (text.startsWith('$${', i)) {
      literal += '${'
      i += 3
    } else if (text.startsWith('${', i)) {
      const end = closingBrace(text, i + 2)
      if (end < 0) {
        report('a "${" has no closing "}"')
        return undefined
      }
      if (literal) pieces.push({ text: literal })
      literal = ''
      pieces.push({ source: text.slice(i + 2, end).trim() })
      i = end + 1
    } else {
      literal += text[i++]
    }
  }
  if (literal || pieces.length === 0) pieces.push({ text: literal })
  return pieces
}

function closingBrace(text: string, from: number): number {
  let depth = 0
  let quote = ''
  for (let i = from; i < text.length; i++) {
    const char = text.charAt(i)
    if (quote) {
      if (char === '\\') i++
      else if (char === quote) quote = ''
    } else if (char === '"' || char === "'") quote = char
    else if (char === '{') depth++
    else if (char === '}' && depth-- === 0) return i
  }
  return -1
}

function asText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const constant = (value: JsonValue): Template => ({ expressions: [], evaluate: () => value })

/** Combines parts into one template. A value without expressions is built once. */
function combine(parts: Template[], evaluate: Template['evaluate']): Template {
  const expressions = parts.flatMap(part => part.expressions)
  return expressions.length > 0 ? { expressions, evaluate } : constant(evaluate({}))
}
