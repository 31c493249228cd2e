import type { Ganglion } from '@ganglion/client'
import type { Stack, TestWorkspace } from '../../support/stack/stack.ts'

export interface AttackContext {
  stack: Stack
  attacker: TestWorkspace
  /** The client of the attacker. */
  ganglion: Ganglion
}

/** What one workspace does that could slow down others. */
export interface Attack {
  name: string
  /** Resolves once the attack is under way, with a function that ends it. */
  begin(context: AttackContext): Promise<() => Promise<void>>
}
