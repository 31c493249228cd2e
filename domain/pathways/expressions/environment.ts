import { Environment } from '@marcbachmann/cel-js'
import { registerFunctions } from './functions.ts'
import { unhideType } from './maps.ts'

const LIMITS = { maxAstNodes: 2_000, maxDepth: 60, maxListElements: 500, maxMapEntries: 500, maxCallArguments: 16 }

/** Allows arithmetic between int and double, which plain CEL rejects. JSON has only one number type. */
function mixNumbers(env: Environment): Environment {
  const operators: Record<string, (a: number, b: number) => number> = {
    '+': (a, b) => a + b,
    '-': (a, b) => a - b,
    '*': (a, b) => a * b,
    '/': (a, b) => a / b,
    '%': (a, b) => a % b,
  }
  for (const [sign, apply] of Object.entries(operators)) {
    env.registerOperator(`double ${sign} int: double`, (a: number, b: bigint) => apply(a, Number(b)))
    env.registerOperator(`int ${sign} double: double`, (a: bigint, b: number) => apply(Number(a), b))
  }
  return env.registerOperator('double % double', (a: number, b: number) => a % b)
}

/** The parts of the library's evaluator that its types omit. */
interface Evaluator {
  objectTypesByConstructor: Map<unknown, unknown>
  debugType(value: unknown): unknown
  debugTypeDeep(value: unknown): unknown
  registry: { getListType(type: unknown): unknown }
}

/** Calls `adapt` with the evaluator of an environment. */
function adaptEvaluator(env: Environment, adapt: (evaluator: Evaluator) => void): Environment {
  const program = env.parse('true')
  const evaluate = (evaluator: Evaluator) => {
    adapt(evaluator)
    return true
  }
  Object.assign(program.ast, { evaluate })
  program()
  return env
}

/**
 * Registers the Date constructor of workflows, where `Date` is replaced. The library finds types by constructor.
 * Without it, timestamps in lists would fail in a run although the dry run passed.
 */
function registerDates({ objectTypesByConstructor: types }: Evaluator): void {
  const timestamp = types.get(Date)
  if (timestamp) types.set(new Date(0).constructor, timestamp)
}

/** Makes the library treat an object as a map even if it has a key named `constructor`. */
function typeData(evaluator: Evaluator): void {
  const debugType = evaluator.debugType.bind(evaluator)
  evaluator.debugType = value => debugType(unhideType(value))
}

/**
 * Limits value types to lists of one level. The library would inspect the first member of each list and map: it would
 * enumerate a map for its first key, and store a type for each shape of data.
 */
function limitValueTypes(evaluator: Evaluator): void {
  evaluator.debugTypeDeep = value => {
    const [first]: unknown[] = Array.isArray(value) ? value : []
    return first === undefined ? evaluator.debugType(value) : evaluator.registry.getListType(evaluator.debugType(first))
  }
}

const base = adaptEvaluator(
  registerFunctions(mixNumbers(new Environment({ homogeneousAggregateLiterals: false, limits: LIMITS }))),
  registerDates,
)

/** Creates a CEL environment with these variables, all of type `dyn`. */
export function createEnvironment(names: readonly string[]): Environment {
  const env = [...new Set(names)].reduce((env, name) => env.registerVariable(name, 'dyn'), base.clone())
  return adaptEvaluator(env, evaluator => {
    typeData(evaluator)
    limitValueTypes(evaluator)
  })
}
