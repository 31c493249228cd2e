import type { NodeMilestone, NodeStatus } from '../../domain/runs/nodes.ts'
import type { WaitingFor } from '../../domain/people/intervention.ts'
import { renderRunDetails, type RunDetails } from '../../workflows/shared/view/current-details.ts'

const at = '2026-01-31T12:00:00.000Z'
const node = (key: string, status: NodeStatus, more: Partial<NodeMilestone> = {}): NodeMilestone => ({
  key,
  node_id: key,
  node_type: 'http',
  status,
  at,
  ...more,
})
const render = (run: Partial<RunDetails>): string =>
  renderRunDetails({
    status: 'running',
    waitingFor: [],
    usage: { input_tokens: 0, output_tokens: 0, usd: 0 },
    nodes: [],
    retries: new Map(),
    maps: new Map(),
    findDecider: () => undefined,
    ...run,
  })
const listKeys = (details: string): string[] =>
  [...details.matchAll(/^\| \S \| `([^`]*)`/gm)].map(([, key = '']) => key)

describe('the details of a run', () => {
  test('start with the failure, then the receipt with in-doubt steps first', () => {
    const error = { code: 'HTTP_422', message: 'the supplier is blocked', node_key: 'credit' }
    const receipt = [
      { node_id: 'reserve', key: 'reserve', outcome: 'compensated' as const },
      { node_id: 'pay', key: 'pay', outcome: 'in_doubt' as const },
    ]
    expect(render({ status: 'failed', end: { error, receipt } }).split('\n\n').slice(0, 2)).toEqual([
      '**failed** at `credit`: `HTTP_422` the supplier is blocked',
      'Receipt: in doubt `pay`; compensated `reserve`',
    ])
  })

  test('list the cost after the open interventions', () => {
    const waiting: WaitingFor = {
      interventionId: 'i',
      kind: 'approval',
      title: 'Pay?',
      node_id: 'review',
      actions: ['approve', 'reject'],
      assignees: ['group:finance'],
      quorum: 2,
      approvals: 1,
      opened_at: at,
    }
    const usage = { input_tokens: 12_345, output_tokens: 67, usd: 0.0123 }
    expect(
      render({ waitingFor: [waiting], usage })
        .split('\n\n')
        .slice(1, 3),
    ).toEqual([
      'Waiting for **group:finance** at `review`: Pay? (1 of 2 approvals)',
      'Cost: 0.0123 USD, 12,345 tokens in, 67 out',
    ])
  })

  test('list failed, waiting and running nodes before the others', () => {
    const nodes = [
      node('done', 'completed'),
      node('busy', 'running'),
      node('open', 'waiting'),
      node('bad', 'failed', { error: { code: 'TIMEOUT', message: 'timed out' } }),
    ]
    expect(listKeys(render({ nodes }))).toEqual(['bad', 'open', 'busy', 'done'])
  })

  test('count the items of a map, and list only items that need attention', () => {
    const items = Array.from({ length: 300 }, (_, i) => node(`each[${i}]/price`, i < 2 ? 'failed' : 'completed'))
    const nodes = [...items, node('each[300]/price', 'running'), node('each', 'running', { node_type: 'map' })]
    const details = render({ nodes, maps: new Map([['each', { done: 300, total: 10_000 }]]) })
    expect(details).toContain('| `each` *map* | running, 300 of 10,000 done, 2 failed |')
    expect(listKeys(details)).toEqual(['each[0]/price', 'each[1]/price', 'each[300]/price', 'each'])
  })

  test('list only the last failed items of a map, to leave room for other nodes that need attention', () => {
    const items = Array.from({ length: 50 }, (_, i) => node(`each[${i}]/price`, 'failed'))
    const nodes = [...items, node('review', 'waiting'), node('each', 'running', { node_type: 'map' })]
    const details = render({ nodes, maps: new Map([['each', { done: 50, total: 60 }]]) })
    expect(listKeys(details)).toHaveLength(12)
    expect(listKeys(details)).toContain('review')
    expect(details).toContain('50 of 60 done, 50 failed')
  })

  test('are limited in length, even for many nodes with long keys and texts', () => {
    const error = { code: 'FAILED', message: 'm'.repeat(5_000) }
    const nodes = Array.from({ length: 500 }, (_, i) => node(`${'k'.repeat(900)}${i}`, 'failed', { error }))
    const details = render({ nodes, end: { error } })
    expect(details.length).toBeLessThan(20_000)
    expect(details).toContain('*460 more*')
  })
})
