import type { Ganglion } from '@ganglion/client'
import { countStep } from '../../support/agents/agents.ts'
import type { ModelServer } from '../../support/agents/model-server.ts'
import { forEach } from '../support/for-each.ts'
import type { Attack } from './attack.ts'
import { NEURON } from './victim.ts'

const AGENTS = 500
const AT_ONCE = 20
/** Sequential tool calls per agent. */
const CALLS = 20
const LONG = 'Look at the clock again and again'

/** Scripts an agent that calls its tool many times when instructed to. Other agents answer immediately. */
export const scriptAgents = (models: ModelServer): void =>
  void models.on(request =>
    request.turns.some(({ text }) => text.includes(LONG)) && countStep(request) <= CALLS
      ? { calls: [{ name: 'current_time' }] }
      : undefined,
  )

/** Agents that a workspace started while it was alone, and that run for minutes. */
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
