import type { Ganglion } from '@ganglion/client'
import { countStep } from '../../support/agents/agents.ts'
import type { ModelServer } from '../../support/agents/model-server.ts'
import { forEach } from '../support/for-each.ts'
import type { Attack } from './attack.ts'
import { NEURON } from './victim.ts'

const AGENTS = 500
const AT_ONCE = 20
/** Calls of a tool by each of them, one after the other. */
const CALLS = 20
const LONG = 'Look at the clock again and again'

/** An agent that is asked to calls its tool many times; others answer at once. */
export const scriptAgents = (models: ModelServer): void =>
  void models.on(request =>
    request.turns.some(({ text }) => text.includes(LONG)) && countStep(request) <= CALLS
      ? { calls: [{ name: 'current_time' }] }
      : undefined,
  )

/** Agents that one workspace has started while it was alone, and that are in progress for minutes. */
export const queuedAgents: Attack = {
  name: `${AGENTS} agents in progress`,
  async begin({ ganglion }) {
    const runs: Awaited<ReturnType<Ganglion['neurons']['run']>>[] = []
    await forEach(Array.from({ length: AGENTS }), AT_ONCE, async () => {
      runs.push(await ganglion.neurons.run(NEURON, { message: LONG }))
    })
    return async () => {
      await Promise.all(runs.map(run => run.cancel().catch(() => undefined)))
      await Promise.all(runs.map(run => run.result().catch(() => undefined)))
    }
  },
}
