import type { ASTNode } from '@marcbachmann/cel-js'
import { type Call, CALLS, chargeTimeZone } from './calls.ts'
import { FUNCTIONS } from './functions.ts'
import type { Meter, MeterSlot } from './meter.ts'

/** Returns our implementation of a function or method, if there is one. */
function findCall({ op, args }: ASTNode): Call | undefined {
  if (op !== 'call' && op !== 'rcall') return undefined
  const [name] = args
  const ownFunction = op === 'call' ? FUNCTIONS.get(name) : undefined
  if (ownFunction) return ownFunction.call
  return name.startsWith('get') ? chargeTimeZone : CALLS.get(name)
}

/** `handle` evaluates functions and operators. The type check sets it; the library's types omit it. */
type CallNode = ASTNode & { handle?: (...operands: unknown[]) => unknown }

/**
 * Replaces the evaluation of a checked call or operator if the library's evaluation takes longer than the charge
 * covers.
 */
export function limitCall(node: ASTNode, slot: MeterSlot): void {
  const callNode = node as CallNode
  const { handle } = callNode
  if (!handle) return
  if (node.op === 'in') {
    callNode.handle = (...operands) => {
      chargeMembership(operands, slot.meter)
      return handle.apply(node, operands)
    }
  }
  const call = findCall(node)
  if (!call) return
  callNode.handle = (...operands) => {
    const [args] = operands as [unknown[]]
    return call(args, slot.meter, () => handle.apply(node, operands))
  }
}

/**
 * A searched value that is a list or map is compared with each entry of the list, and each comparison enumerates the
 * value.
 */
function chargeMembership([value, list]: unknown[], meter: Meter): void {
  const isCompound = typeof value === 'object' && value !== null
  if (isCompound && Array.isArray(list)) meter.spend(meter.measure(value) * list.length)
}
