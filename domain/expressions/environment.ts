import { Environment } from '@marcbachmann/cel-js'

const LIMITS = { maxAstNodes: 2_000, maxDepth: 60, maxListElements: 500, maxMapEntries: 500, maxCallArguments: 16 }

/** JSON knows one kind of number, so int and double mix in arithmetic here, which plain CEL refuses. */
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
 * A workflow's `Date` is a stand-in, and dates made by it name the real one as their constructor, by which the library
 * finds types. Without this, timestamps inside lists would fail in a run that passed its dry run.
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

/** CEL with these variables, each of any type. */
export function createEnvironment(names: readonly string[]): Environment {
  return [...new Set(names)].reduce((env, name) => env.registerVariable(name, 'dyn'), base.clone())
}
