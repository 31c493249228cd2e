import { createCompiler, ROOT_NAMES } from '../../../domain/pathways/expressions/expression.ts'
import type { Scope } from '../../../domain/pathways/expressions/program.ts'
import { Meter } from '../../../domain/pathways/expressions/meter.ts'
import { compileTemplate } from '../../../domain/pathways/expressions/template.ts'
import type { JsonValue, Problem } from '../../../domain/shared/json/json.ts'

const meter = new Meter()
export const compile = createCompiler([...ROOT_NAMES, 'item', 'index'], meter)

/** Evaluates with a fresh budget, as a node does. */
export function evaluate(source: string, scope: Scope = {}): JsonValue {
  const expression = compile(source)
  meter.start()
  return expression.evaluate(scope)
}

export function fill(template: JsonValue, scope: Scope = {}): JsonValue {
  const compiled = compileTemplate(template, compile, (pointer, message) => {
    throw new Error(`${pointer}: ${message}`)
  })
  meter.start()
  return compiled.evaluate(scope)
}

/** Returns all problems of a template. */
export function templateProblems(template: JsonValue): Problem[] {
  const problems: Problem[] = []
  compileTemplate(template, compile, (pointer, message) => void problems.push({ pointer, message }))
  return problems
}
