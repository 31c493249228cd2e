import type { PathwayNode } from '../../../domain/pathways/definition.ts'
import { body, http, map, node, value } from '../support/builders.ts'
import { ofNode, listProblems } from '../support/problems.ts'

describe('edges', () => {
  test('must not form a cycle, and the error shows the path of the cycle', () => {
    const ring = [value('a', 1), value('b', 1), value('c', 1)]
    expect(listProblems(ring, ['a > b', 'b > c', 'c > a'])).toEqual([
      '/edges/2: closes a cycle: a -> b -> c -> a; use a loop node to repeat steps',
    ])
    expect(listProblems(ring.slice(0, 1), ['a > a'])).toEqual([
      '/edges/0: closes a cycle: a -> a; use a loop node to repeat steps',
    ])
    expect(listProblems([map('m', body(ring.slice(0, 2), ['a > b', 'b.error > a']))])).toEqual([
      '/nodes/0/body/edges/1: closes a cycle: a -> b -> a; use a loop node to repeat steps',
    ])
  })

  test.each<[string, string[], string]>([
    ['a duplicate', ['a > b', 'a.default > b'], '/edges/1: duplicate edge'],
    ['after an end', ['a > e', 'e > b'], '/edges/1/on: "e" is an end node: it must not have outgoing edges'],
    ['from a body', ['a > b', 'inside > b'], '/edges/1/from: there is no node "inside" in this graph'],
    [
      'on a timeout that never comes',
      ['a.timeout > b'],
      '/edges/0/on: "a" has no port "timeout"; it has default, error',
    ],
  ])('%s', (_name, lines, problem) => {
    expect(
      listProblems(
        [http('a'), value('b', 1), node('end', 'e', {}), map('m', body([value('inside', 1)]))],
        [...lines, 'a.error > m'],
      ),
    ).toContain(problem)
  })

  test('are optional, and a node without incoming edges starts automatically', () => {
    expect(listProblems([value('a', 1), value('b', 1), value('c', 1)], ['a > b'])).toEqual([])
    expect(listProblems([value('a', 1), value('b', 1)])).toEqual([])
    expect(listProblems([http('a', { compensate: 'u' }), http('u')])).toEqual([])
  })

  test('are required for every answer of a person', () => {
    expect(ofNode({ type: 'human', kind: 'approval', due: 'P1D' }, '.approve')).toEqual([
      '/nodes/0: "n" has no edge on "reject": the run could not continue from there',
      '/nodes/0: "n" has no edge on "timeout": the run could not continue from there',
    ])
    expect(
      ofNode({ type: 'human', kind: 'questions', questions: [{ id: 'q', text: '?' }] }, '.answer_questions', '.error'),
    ).toEqual(['/nodes/0: "n" has no edge on "decline_questions": the run could not continue from there'])
    expect(ofNode({ type: 'human', kind: 'form', form: {} }, '.submit_input')).toEqual([])
  })
})

describe('the compensation of a node', () => {
  const undo = (id: string, more: object = {}) => http(id, more)
  test.each<[string, PathwayNode[], string[], string]>([
    ['exists', [http('a', { compensate: 'u' })], [], '/nodes/0/compensate: there is no node "u" in this graph'],
    [
      'acts',
      [http('a', { compensate: 'u' }), value('u', 1)],
      [],
      '/nodes/0/compensate: only an http or neuron node can compensate another',
    ],
    [
      'has no compensation',
      [http('a', { compensate: 'u' }), undo('u', { compensate: 'v' }), undo('v')],
      [],
      '/nodes/0/compensate: "u" compensates another node, so it must not have a compensation itself',
    ],
    [
      'is another node',
      [http('a', { compensate: 'a' })],
      [],
      '/nodes/0/compensate: "a" compensates another node, so it must not have a compensation itself',
    ],
    [
      'has no edges',
      [http('a', { compensate: 'u' }), undo('u')],
      ['a > u'],
      '/nodes/0/compensate: "u" compensates another node, so it must not have edges',
    ],
    [
      'compensates nothing else',
      [http('a', { compensate: 'u' }), http('b', { compensate: 'u' }), undo('u')],
      ['a > b'],
      '/nodes/1/compensate: "u" already compensates "a"',
    ],
    [
      'is in the same body',
      [http('a', { compensate: 'u' }), map('m', body([undo('u')]))],
      ['a > m'],
      '/nodes/0/compensate: there is no node "u" in this graph',
    ],
  ])('%s', (_name, nodes, lines, problem) => expect(listProblems(nodes, lines)).toContain(problem))

  test('reads only outputs that are available when the node completes', () => {
    const reads = (id: string) => undo('u', { with: { url: `http://x.test/\${nodes.${id}.output}` } })
    const nodes = (id: string) => [http('before'), http('a', { compensate: 'u' }), http('after'), reads(id)]
    const lines = ['before > a', 'a > after']
    expect(listProblems(nodes('before'), lines)).toEqual([])
    expect(listProblems(nodes('a'), lines)).toEqual([])
    expect(listProblems(nodes('after'), lines)).toEqual([
      '/nodes/3/with: nodes.after cannot be read here: no path leads from "after" to "u"',
    ])
  })

  test('is only allowed on nodes with effects', () => {
    expect(ofNode({ type: 'transform', with: { value: 1 }, compensate: 'z' }, '')).toEqual([
      '/nodes/0: must not have the field "compensate"',
    ])
  })
})
