import { type Mark, STANCES, type StanceGroup } from './graph.ts'
import {
  ABOUT_SIZE,
  type Box,
  doOverlap,
  LABEL_GAP,
  type Layout,
  LINE_HEIGHT,
  MARK_SIZE,
  NAME_SIZE,
  type PlacedNode,
} from './layout.ts'
import { estimateTextWidth, fitText } from '../shared/text/text-width.ts'
import { escapeXml } from '../shared/text/xml.ts'

interface Caption {
  title: string
  version: number
  diff?: number
}

const PADDING = 28
const HEADER_HEIGHT = 56
const LEGEND_HEIGHT = 44
const MIN_WIDTH = 560
const TITLE_SIZE = 18
const LEGEND_SIZE = 12
const RELATION_SIZE = 10.5
const MAX_RELATION_WIDTH = 150
/** Maximum number of labeled relations. More labels would cover the relations. */
const MAX_LABELLED_EDGES = 120
const MIN_STROKE = 1.1
const MAX_STROKE = 4

const STANCE_NAMES: Record<StanceGroup, string> = {
  for: 'supports',
  mixed: 'mixed',
  neutral: 'neutral',
  against: 'opposes',
  other: 'another stance',
  unknown: 'stance unknown',
}
const MARKS: Mark[] = ['added', 'changed', 'removed']

/** Colors of the light and dark schemes. Texts have a contrast ratio of at least 4.5 with the background. */
const STYLE = `
.map{--ground:#ffffff;--text:#1b2430;--muted:#566274;--line:#98a4b3;--for:#1f9d63;--mixed:#d98a1c;--neutral:#6f8296;--against:#d5435c;--other:#7a5bd0;--unknown:#ffffff;--added:#0a7a44;--changed:#8a5a00;--removed:#b3263e}
@media(prefers-color-scheme:dark){.map{--ground:#14181e;--text:#e8edf3;--muted:#a9b4c2;--line:#5b6878;--for:#3cc586;--mixed:#f0ab45;--neutral:#93a5b8;--against:#f06a80;--other:#a78bf5;--unknown:#14181e;--added:#4fd699;--changed:#f0ab45;--removed:#ff8095}}
.map text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:var(--text)}
.map .halo{paint-order:stroke;stroke:var(--ground);stroke-width:4px;stroke-linejoin:round}
.map .ground{fill:var(--ground)}.map .muted{fill:var(--muted)}.map .name{font-weight:600}
.map .edge{fill:none;stroke:var(--line)}.map .arrow{fill:var(--line)}
.map .node circle{stroke:var(--ground);stroke-width:2}
${STANCES.map(stance => `.map .${stance}{fill:var(--${stance})}`).join('')}
.map .node circle.unknown,.map .legend circle.unknown{stroke:var(--muted);stroke-width:1.5}
${MARKS.map(mark => `.map .edge.${mark}{stroke:var(--${mark})}.map .arrow.${mark}{fill:var(--${mark})}.map .node.${mark} circle{stroke:var(--${mark});stroke-width:3}.map text.mark.${mark}{fill:var(--${mark});font-weight:700}`).join('')}
.map .edge.removed,.map .node.removed circle{stroke-dasharray:5 4}.map .node.removed{opacity:.75}
.map .edge.changed{stroke-dasharray:9 3}`

/** Renders an arranged map as an SVG document that adapts to light and dark schemes. All text stays selectable. */
export function renderSvg({ nodes, edges }: Layout, caption: Caption): string {
  const content = findBounds(nodes)
  const isDiff = caption.diff !== undefined
  const legend = renderLegend(nodes, isDiff)
  const width = Math.ceil(Math.max(MIN_WIDTH, content.width + 2 * PADDING, legend.width + 2 * PADDING))
  const height = Math.ceil(HEADER_HEIGHT + content.height + 2 * PADDING + LEGEND_HEIGHT)
  const dx = width / 2 - content.x
  const dy = HEADER_HEIGHT + PADDING + content.height / 2 - content.y
  const byId = new Map(nodes.map(node => [node.id, node]))
  const drawn = drawEdges(edges, byId)
  const title = describeCaption(caption)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="map" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<desc id="desc">${escapeXml(`${nodes.length} stakeholders and ${edges.length} relations. Color: stance. Size: influence.`)}</desc>`,
    `<style>${STYLE}</style>`,
    `<defs>${['', ...MARKS].map(renderArrow).join('')}</defs>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    renderHeader(caption, width, nodes.length, edges.length),
    `<g transform="translate(${round(dx)} ${round(dy)})">`,
    ...drawn.map(({ path }) => path),
    ...nodes.map(renderNode),
    ...labelEdges(drawn, nodes),
    '</g>',
    `<g class="legend" transform="translate(${PADDING} ${height - LEGEND_HEIGHT / 2})">${legend.content}</g>`,
    '</svg>',
    '',
  ].join('\n')
}

const describeCaption = ({ title, version, diff }: Caption): string =>
  `${title}, version ${version}${diff === undefined ? '' : `, compared with version ${diff}`}`

function renderHeader(caption: Caption, width: number, people: number, relations: number): string {
  const title = fitText(caption.title, TITLE_SIZE, width - 2 * PADDING)
  const since = caption.diff === undefined ? '' : ` · changes since version ${caption.diff}`
  const about = `Version ${caption.version}${since} · ${count(people, 'person', 'people')}, ${count(relations, 'relation', 'relations')}`
  return [
    `<text x="${PADDING}" y="34" font-size="${TITLE_SIZE}" class="name">${escapeXml(title)}</text>`,
    `<text x="${PADDING}" y="54" font-size="${LEGEND_SIZE}" class="muted">${escapeXml(about)}</text>`,
  ].join('')
}

const count = (n: number, singular: string, many: string): string => `${n} ${n === 1 ? singular : many}`

function findBounds(nodes: PlacedNode[]): Box {
  if (nodes.length === 0) return { x: 0, y: 0, width: 0, height: 40 }
  const edges = nodes.map(({ box }) => ({
    left: box.x - box.width / 2,
    right: box.x + box.width / 2,
    top: box.y - box.height / 2,
    bottom: box.y + box.height / 2,
  }))
  const left = edges.reduce((least, edge) => Math.min(least, edge.left), Infinity)
  const right = edges.reduce((most, edge) => Math.max(most, edge.right), -Infinity)
  const top = edges.reduce((least, edge) => Math.min(least, edge.top), Infinity)
  const bottom = edges.reduce((most, edge) => Math.max(most, edge.bottom), -Infinity)
  return { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top }
}

function renderNode(node: PlacedNode): string {
  const { cx, cy, radius, lines, mark, stance, description } = node
  const [name = '', about] = lines
  const firstLine = cy + radius + LABEL_GAP + NAME_SIZE
  const text = (content: string, y: number, size: number, className: string) =>
    `<text x="${round(cx)}" y="${round(y)}" font-size="${size}" text-anchor="middle" class="halo ${className}">${escapeXml(content)}</text>`
  return [
    `<g class="node${mark ? ` ${mark}` : ''}"><title>${escapeXml(description)}</title>`,
    `<circle cx="${round(cx)}" cy="${round(cy)}" r="${round(radius)}" class="${stance}"/>`,
    mark ? text(mark, cy - radius - 6, MARK_SIZE, `mark ${mark}`) : '',
    text(name, firstLine, NAME_SIZE, 'name'),
    about ? text(about, firstLine + ABOUT_SIZE * LINE_HEIGHT, ABOUT_SIZE, 'muted') : '',
    '</g>',
  ].join('')
}

interface DrawnEdge {
  path: string
  label: string
  mark?: Mark
  /** Label positions along the line, best first. */
  places: { x: number; y: number }[]
}

/** Draws the relations. Multiple relations between the same two people are curved to different sides. */
function drawEdges(edges: Layout['edges'], byId: Map<string, PlacedNode>): DrawnEdge[] {
  const drawable = edges.flatMap(edge => {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)]
    return from && to ? [{ edge, from, to }] : []
  })
  const pairs = Map.groupBy(drawable, ({ from, to }) => [from.id, to.id].toSorted().join(' '))
  return [...pairs.values()].flatMap(parallel =>
    parallel.map(({ edge, from, to }, i) => {
      const bend = (i - (parallel.length - 1) / 2) * 34 * (from.id < to.id ? 1 : -1)
      return drawEdge(edge, from, to, bend)
    }),
  )
}

function drawEdge(
  { label, weight, mark, description }: Layout['edges'][number],
  from: PlacedNode,
  to: PlacedNode,
  bend: number,
): DrawnEdge {
  const length = Math.hypot(to.cx - from.cx, to.cy - from.cy) || 1
  const [ux, uy] = [(to.cx - from.cx) / length, (to.cy - from.cy) / length]
  const middle = { x: (from.cx + to.cx) / 2 - uy * bend, y: (from.cy + to.cy) / 2 + ux * bend }
  const start = moveTowards(from, middle, from.radius + 2)
  const end = moveTowards(to, middle, to.radius + 7)
  const control = { x: 2 * middle.x - (start.x + end.x) / 2, y: 2 * middle.y - (start.y + end.y) / 2 }
  const stroke = round(MIN_STROKE + weight * (MAX_STROKE - MIN_STROKE))
  const curve = `M${round(start.x)} ${round(start.y)}Q${round(control.x)} ${round(control.y)} ${round(end.x)} ${round(end.y)}`
  const path = `<path d="${curve}" class="edge${mark ? ` ${mark}` : ''}" stroke-width="${stroke}" marker-end="url(#arrow${mark ? `-${mark}` : ''})"><title>${escapeXml(description)}</title></path>`
  const places = [0.5, 0.4, 0.6, 0.3, 0.7].map(t => ({
    x: (1 - t) ** 2 * start.x + 2 * t * (1 - t) * control.x + t ** 2 * end.x,
    y: (1 - t) ** 2 * start.y + 2 * t * (1 - t) * control.y + t ** 2 * end.y,
  }))
  return { path, label, mark, places }
}

function moveTowards({ cx, cy }: PlacedNode, target: { x: number; y: number }, distance: number) {
  const length = Math.hypot(target.x - cx, target.y - cy) || 1
  return { x: cx + ((target.x - cx) / length) * distance, y: cy + ((target.y - cy) / length) * distance }
}

/** Labels relations where there is room. Other relations show their type on hover. */
function labelEdges(drawn: DrawnEdge[], nodes: PlacedNode[]): string[] {
  if (drawn.length > MAX_LABELLED_EDGES) return []
  const occupiedBoxes = nodes.map(({ box }) => box)
  return drawn.flatMap(({ label, mark, places }) => {
    const text = fitText(label, RELATION_SIZE, MAX_RELATION_WIDTH)
    const size = { width: estimateTextWidth(text, RELATION_SIZE) + 4, height: RELATION_SIZE * 1.4 }
    const box = places
      .map(place => ({ ...place, ...size }))
      .find(candidate => !occupiedBoxes.some(other => doOverlap(candidate, other)))
    if (!box) return []
    occupiedBoxes.push(box)
    const className = mark ? `mark ${mark}` : 'muted'
    return `<text x="${round(box.x)}" y="${round(box.y + RELATION_SIZE * 0.35)}" font-size="${RELATION_SIZE}" text-anchor="middle" class="halo relation ${className}">${escapeXml(text)}</text>`
  })
}

function renderArrow(mark: string): string {
  const suffix = mark ? `-${mark}` : ''
  return `<marker id="arrow${suffix}" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" class="arrow ${mark}"/></marker>`
}

/** Explains the colors in use, the sizes, and the comparison marks. */
function renderLegend(nodes: PlacedNode[], isDiff: boolean): { content: string; width: number } {
  const usedStances = new Set(nodes.map(({ stance }) => stance))
  const entries = [
    ...STANCES.filter(stance => usedStances.has(stance)).map(stance => ({
      symbol: `<circle r="6" cx="6" cy="-4" class="${stance}"/>`,
      label: STANCE_NAMES[stance],
    })),
    ...(nodes.length > 0 ? [{ symbol: sizeSymbol, label: 'size: influence' }] : []),
    ...(isDiff ? MARKS : []).map(mark => ({
      symbol: `<path d="M0 -4H14" class="edge ${mark}" stroke-width="3"/>`,
      label: mark as string,
    })),
  ]
  let x = 0
  const content = entries.map(({ symbol, label }) => {
    const entry = `<g transform="translate(${round(x)} 0)">${symbol}<text x="20" font-size="${LEGEND_SIZE}" class="muted">${escapeXml(label)}</text></g>`
    x += 20 + estimateTextWidth(label, LEGEND_SIZE) + 18
    return entry
  })
  return { content: content.join(''), width: x }
}

const sizeSymbol = '<circle r="2.5" cx="1" cy="-4" class="neutral"/><circle r="5.5" cx="9.5" cy="-4" class="neutral"/>'

const round = (value: number): string => String(Math.round(value * 10) / 10)
