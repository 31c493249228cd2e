import { Client } from 'pg'
import type { Item } from '../support/item.ts'
import { takeTurns, timed } from '../support/turns.ts'

const PEOPLE = 2_000
const EDGES = 10_000
const MAX_PATCH_MS = 100

/**
 * A small delta to a large map, compared with two Postgres writes of documents of that size: the head and its
 * version.
 */
export const stakeholderMaps: Item = {
  name: 'stakeholder-maps',
  async run({ ours, stack, samples }) {
    const snapshot = buildSnapshot()
    const { id } = await ours.ganglion.resources.create('stakeholder_maps', { title: 'Large', snapshot })
    const postgres = new Client({ connectionString: stack.env['DATABASE_URL'] })
    await postgres.connect()
    await postgres.query(
      'create temporary table heads (document json); create temporary table versions (document json)',
    )
    const text = JSON.stringify(snapshot)
    await postgres.query('insert into heads values ($1)', [text])
    let turn = 0
    const once = {
      ours: () => {
        const update = [{ id: `p${turn}`, role: `Role ${turn++}` }]
        return timed(() =>
          ours.ganglion.resources.update('stakeholder_maps', id, { delta: { stakeholders: { update } } }),
        )
      },
      bare: () =>
        timed(async () => {
          await postgres.query('begin')
          await postgres.query('update heads set document = $1', [text])
          await postgres.query('insert into versions values ($1)', [text])
          await postgres.query('commit')
        }),
    }
    try {
      const taken = await takeTurns(once, samples(100))
      const name = `patch a map of ${PEOPLE} people and ${EDGES} edges`
      return [{ name, unit: 'ms', samples: taken, aim: { of: 'p95', atMost: MAX_PATCH_MS } }]
    } finally {
      await postgres.end()
    }
  },
}

function buildSnapshot() {
  const stakeholders = Array.from({ length: PEOPLE }, (_, n) => ({
    id: `p${n}`,
    name: `Person ${n}`,
    influence: n % 10,
  }))
  const edges = Array.from({ length: EDGES }, (_, n) => ({
    from: `p${n % PEOPLE}`,
    to: `p${((n % PEOPLE) + 1 + Math.floor(n / PEOPLE)) % PEOPLE}`,
    type: 'advises',
  }))
  return { stakeholders, edges }
}
