import { cpuBetween, usedBy, usedByTree } from '../../support/processes.ts'
import { takeTurns } from '../../support/turns.ts'
import { type Item, toRow } from '../item.ts'
import { startLangGraph } from '../langgraph/server.ts'
import { compareRounds, RUNS, runByHand, runRound } from '../round.ts'

const ONE = { steps: 2, tokens: 5, wait_ms: 50, every_ms: 5 }
const WARM_UP = 1

/** The same agents on LangGraph's development server, which keeps its runs in memory. Installs it from PyPI. */
export const langgraph: Item = {
  name: 'langgraph',
  isOptional: true,
  async run({ stack, providerUrl, ours, temporal, samples }) {
    const peer = await startLangGraph(providerUrl)
    try {
      const alone = await takeTurns({ ours: () => ours(ONE), bare: () => peer.run(ONE) }, samples(20), 2)
      const before = { ours: await usedBy(stack), peer: await usedByTree(peer.pid) }
      const rounds = await takeTurns(
        { ours: () => runRound(ours), bare: () => runRound(peer.run) },
        samples(4),
        WARM_UP,
      )
      const cpu = Object.values(cpuBetween(before.ours, await usedBy(stack))).reduce((sum, ms) => sum + ms, 0)
      const peerCpu = (await usedByTree(peer.pid)).cpu_ms - before.peer.cpu_ms
      // Without other load: the overhead of durable steps alone.
      const byHand = await takeTurns({ ours: () => runByHand(temporal) }, samples(4), WARM_UP)
      const each = (ms: number) => `${(ms / RUNS / (rounds.ours.length + WARM_UP)).toFixed(0)} ms`
      return {
        rows: [
          toRow('one agent beside LangGraph, first token', alone, ({ first }) => first),
          toRow('the same, until it is done', alone, ({ ended }) => ended),
          ...compareRounds(rounds),
          toRow(
            'workflows of three activities by hand, without model, database and streams',
            { ours: byHand.ours, bare: rounds.bare.map(({ wall }) => wall) },
            ms => ms,
          ),
        ],
        notes: [`CPU of a run among ${RUNS}: ours with all components ${each(cpu)}, LangGraph ${each(peerCpu)}.`],
      }
    } finally {
      await peer.stop()
    }
  },
}
