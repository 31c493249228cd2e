import { Environment } from '@marcbachmann/cel-js'

const LIMITS = { maxAstNodes: 2_000, maxDepth: 60, maxListElements: 500, maxMapEntries: 500, maxCallArguments: 16 }

/** Allows arithmetic between int and double, which plain CEL refuses. JSON has only one type of number. */
function mixNumbers(env: Environment): Environment {
  const operators: Record<string, (a: number, b: number) => number> = {
    '+': (a, b) => a + b,
    '-': (a, b) => a - b,
    '*': (a, b) => a * b,
    '/': (a, b) => a / b,
    '%': (a, b) => a % b,
  }
  for (const [sign, apply] of Object.entries(operators)) {
    env.registerOperator(`double ${sign} int`, (a: number, b: bigint) => apply(a, Number(b)))
    env.registerOperator(`int ${sign} double`, (a: bigint, b: number) => apply(Number(a), b))
  }
  return env.registerOperator('double % double', (a: number, b: number) => a % b)
}

interface TypesByConstructor {
  objectTypesByConstructor: Map<unknown, unknown>
}

/**
 * Registers the constructor of dates in workflows, where `Date` is replaced and the library finds types by constructor.
 * Without it, timestamps in lists would fail in a run that passed its dry run.
 */
function registerDates(env: Environment): Environment {
  const program = env.parse('true')
  const registerConstructor = ({ objectTypesByConstructor: types }: TypesByConstructor) => {
    const timestamp = types.get(Date)
    if (timestamp) types.set(new Date(0).constructor, timestamp)
    return true
  }
  Object.assign(program.ast, { evaluate: registerConstructor })
  program()
  return env
}

const base = registerDates(mixNumbers(new Environment({ homogeneousAggregateLiterals: false, limits: LIMITS })))

/** Creates a CEL environment with these variables, each of any type. */
export function createEnvironment(names: readonly string[]): Environment {
  return [...new Set(names)].reduce((env, name) => env.registerVariable(name, 'dyn'), base.clone())
}
