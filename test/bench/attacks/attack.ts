import type { Ganglion } from '@ganglion/client'
import type { Stack, TestWorkspace } from '../../support/stack/stack.ts'

export interface AttackContext {
  stack: Stack
  workspace: TestWorkspace
  /** The client of the workspace. */
  ganglion: Ganglion
  /** Takes the time of requests of a customer. To be called while the attack is under way. */
  measure: () => Promise<void>
}

/** Requests of an attacker to the API. */
export interface Attack {
  name: string
  /** Settings of the stack. */
  env?: Record<string, string>
  /** Attacks, and returns what came of it in a few words. Throws when the API did not withstand. */
  run(context: AttackContext): Promise<string>
}

/** Throws when a figure is not what it has to be. */
export function expectFigure(name: string, value: number, isGood: boolean): void {
  if (!isGood) throw new Error(`${name}: ${value}`)
}
