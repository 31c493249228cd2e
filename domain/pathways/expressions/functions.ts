import type { Environment } from '@marcbachmann/cel-js'
import { MAX_DEPTH, measureExtent } from '../../shared/json/json-size.ts'
import type { Meter } from './meter.ts'
import { fixed, pick, round, sum } from './numbers.ts'
import { toJson, ValueError } from './values.ts'

/** Characters of output text per unit. */
const CHARS_PER_UNIT = 4

interface OwnFunction {
  /** CEL signatures, one for each number of arguments. */
  signatures: string[]
  call: (args: unknown[], meter: Meter) => unknown
}

/** Functions that the library lacks. They accept arguments of any type and check them when called. */
export const FUNCTIONS: ReadonlyMap<string, OwnFunction> = new Map([
  ['urlEncode', { signatures: ['(dyn): string'], call: encodeForUrl }],
  ['json', { signatures: ['(dyn): string'], call: writeJson }],
  ['sum', { signatures: ['(dyn): dyn'], call: sum }],
  ['min', { signatures: ['(dyn): dyn'], call: pick('min') }],
  ['max', { signatures: ['(dyn): dyn'], call: pick('max') }],
  ['round', { signatures: ['(dyn): dyn', '(dyn, dyn): dyn'], call: round }],
  ['fixed', { signatures: ['(dyn, dyn): string'], call: fixed }],
])

/**
 * Registers the names and types of these functions. `limitCall` installs the implementations, because they need the
 * meter.
 */
export function registerFunctions(env: Environment): Environment {
  for (const [name, { signatures }] of FUNCTIONS)
    for (const signature of signatures)
      env.registerFunction(name + signature, () => {
        throw new Error(`${name}() has no meter`)
      })
  return env
}

/** Encodes a scalar for use in a path or query. */
function encodeForUrl([value]: unknown[], meter: Meter): string {
  const scalar = toJson(value, meter)
  if (typeof scalar === 'object') throw new ValueError('urlEncode() requires a text, a number or a boolean')
  const text = String(scalar)
  meter.spend(Math.ceil(text.length / CHARS_PER_UNIT))
  return encodeURIComponent(text.toWellFormed())
}

/** Returns a value as JSON text. */
function writeJson([value]: unknown[], meter: Meter): string {
  if (measureExtent(value, MAX_DEPTH).depth > MAX_DEPTH)
    throw new ValueError(`json() requires a value with at most ${MAX_DEPTH} levels`)
  const text = JSON.stringify(toJson(value, meter))
  meter.spend(Math.ceil(text.length / CHARS_PER_UNIT))
  return text
}
