import type { Graph } from './graph.ts'
import { showValue } from './sentences.ts'
import { escapeXml } from '../shared/text/xml.ts'

const NODE_KEYS = [
  'name',
  'role',
  'organization',
  'stance',
  'influence',
  'interest',
  'notes',
  'attributes',
  'change',
] as const
const EDGE_KEYS = ['type', 'strength', 'notes', 'change'] as const

/** Renders a graph as GraphML, with all fields as text. */
export function renderGraphml({ nodes, edges }: Graph, title: string): string {
  const keys = [...NODE_KEYS.map(name => renderKey('node', name)), ...EDGE_KEYS.map(name => renderKey('edge', name))]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    `  <desc>${escapeXml(title)}</desc>`,
    ...keys,
    '  <graph edgedefault="directed">',
    ...nodes.map(({ id, stakeholder, mark }) => {
      const { attributes, ...fields } = stakeholder
      const values = {
        ...fields,
        attributes: Object.keys(attributes).length > 0 ? JSON.stringify(attributes) : undefined,
      }
      return `    <node id="${escapeXml(id)}">${renderData('node', NODE_KEYS, { ...values, change: mark })}</node>`
    }),
    ...edges.map(
      ({ from, to, edge, mark }) =>
        `    <edge source="${escapeXml(from)}" target="${escapeXml(to)}">${renderData('edge', EDGE_KEYS, { ...edge, change: mark })}</edge>`,
    ),
    '  </graph>',
    '</graphml>',
    '',
  ].join('\n')
}

const renderKey = (owner: 'node' | 'edge', name: string): string =>
  `  <key id="${owner}_${name}" for="${owner}" attr.name="${name}" attr.type="string"/>`

function renderData(owner: 'node' | 'edge', names: readonly string[], fields: Record<string, unknown>): string {
  return names
    .flatMap(name => {
      const value = fields[name]
      if (value === undefined || value === null) return []
      return `<data key="${owner}_${name}">${escapeXml(showValue(value as string))}</data>`
    })
    .join('')
}
