import type { Ganglion } from '@ganglion/client'
import type { Stack, TestWorkspace } from '../../support/stack/stack.ts'

export interface AttackContext {
  stack: Stack
  attacker: TestWorkspace
  /** The attacker's client. */
  ganglion: Ganglion
}

/** Activity in one workspace that could slow down other workspaces. */
export interface Attack {
  name: string
  /** Resolves when the attack is in progress, with a function that stops the attack. */
  begin(context: AttackContext): Promise<() => Promise<void>>
}
