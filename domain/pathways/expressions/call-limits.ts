import type { ASTNode } from '@marcbachmann/cel-js'
import { type Call, CALLS, chargeTimeZone } from './calls.ts'
import { FUNCTIONS } from './functions.ts'
import type { Meter, MeterSlot } from './meter.ts'

/** Returns the own evaluation of a function or a method, if it has one. */
function findCall({ op, args }: ASTNode): Call | undefined {
  if (op !== 'call' && op !== 'rcall') return undefined
  const [name] = args
  const ownFunction = op === 'call' ? FUNCTIONS.get(name) : undefined
  if (ownFunction) return ownFunction.call
  return name.startsWith('get') ? chargeTimeZone : CALLS.get(name)
}

/** Functions and operators are evaluated by `handle`, which a check assigns and the types of the library omit. */
type CallNode = ASTNode & { handle?: (...operands: unknown[]) => unknown }

/** Replaces the evaluation of a checked call or operator where the library's takes longer than it is charged. */
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

/** A list or map is compared with each entry of the list that is searched, and enumerated for each. */
function chargeMembership([value, list]: unknown[], meter: Meter): void {
  const isCompound = typeof value === 'object' && value !== null
  if (isCompound && Array.isArray(list)) meter.spend(meter.measure(value) * list.length)
}
