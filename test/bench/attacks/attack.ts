import type { Ganglion } from '@ganglion/client'
import type { Stack, TestWorkspace } from '../../support/stack/stack.ts'

export interface AttackContext {
  stack: Stack
  workspace: TestWorkspace
  /** The workspace client. */
  ganglion: Ganglion
  /** Measures a customer's requests. Call it during the attack. */
  measure: () => Promise<void>
}

/** An attacker's requests to the API. */
export interface Attack {
  name: string
  /** Stack settings. */
  env?: Record<string, string>
  /** Runs the attack and returns a short summary. Throws if the API did not withstand the attack. */
  run(context: AttackContext): Promise<string>
}

/** Throws if a figure does not meet its condition. */
export function expectFigure(name: string, value: number, isGood: boolean): void {
  if (!isGood) throw new Error(`${name}: ${value}`)
}
