import { findViewport, reveal } from '../../console/pathways/graph/viewport.ts'
import { layoutGraph } from '../../console/pathways/graph/layout.ts'

const SIZE = { width: 900, height: 540 }
const node = (id: string) => ({ id, type: 'transform', title: id })

/** Returns the layout for a node that leads to other nodes, side by side or one after the other. */
const layoutOf = (count: number, isChain: boolean) => {
  const ids = Array.from({ length: count }, (_, i) => `n${i}`)
  const edges = ids.slice(1).map((to, i) => ({ from: isChain ? `n${i}` : 'n0', to, port: 'default' }))
  return layoutGraph({ nodes: ids.map(node), edges })
}

test('a graph that is readable as a whole is shown completely and centered', () => {
  const layout = layoutOf(6, false)
  const { x, y, zoom } = findViewport(layout, ['n3'], SIZE)
  expect(x).toBeGreaterThan(0)
  expect(x + layout.width * zoom).toBeLessThan(SIZE.width)
  expect(y + layout.height * zoom).toBeLessThan(SIZE.height)
  expect(x).toBeCloseTo(SIZE.width - x - layout.width * zoom)
})

test.each([
  ['n0', true],
  ['n30', true],
  ['n59', true],
  ['n40', false],
])('a larger graph shows %s without free space next to its hidden part', (focus, isChain) => {
  const layout = layoutOf(60, isChain)
  const { x, y, zoom } = findViewport(layout, [focus], SIZE)
  const shown = layout.nodes.find(({ path }) => path === focus)
  expect(x + (shown?.x ?? 0) * zoom).toBeGreaterThanOrEqual(0)
  expect(y + ((shown?.y ?? 0) + 64) * zoom).toBeLessThanOrEqual(SIZE.height)
  const free = (start: number, length: number, room: number) =>
    length > room ? Math.max(start, room - start - length) : 0
  expect(free(x, layout.width * zoom, SIZE.width)).toBeLessThanOrEqual(24)
  expect(free(y, layout.height * zoom, SIZE.height)).toBeLessThanOrEqual(24)
})

test('selecting a visible node moves nothing, and selecting a hidden one scrolls it into view at the same size', () => {
  const layout = layoutOf(60, true)
  const before = findViewport(layout, ['n0'], SIZE)
  const [first, last] = [layout.nodes[0], layout.nodes.at(-1)]
  if (!first || !last) throw new Error('the layout has nodes')
  expect(reveal(first, before, SIZE)).toBe(before)
  const after = reveal(last, before, SIZE)
  expect(after.zoom).toBe(before.zoom)
  expect(after.y + (last.y + last.height) * after.zoom).toBeLessThanOrEqual(SIZE.height)
})
