import type { StakeholderMap } from '../resources/stakeholder-map.ts'
import { buildGraph } from './graph.ts'
import { renderGraphml } from './graphml.ts'
import { layOut } from './layout.ts'
import { renderMermaid } from './mermaid.ts'
import { renderSvg } from './svg.ts'

export const PICTURE_FORMATS = ['svg', 'mermaid', 'graphml'] as const
export type PictureFormat = (typeof PICTURE_FORMATS)[number]

export interface PicturedMaps {
  map: StakeholderMap
  /** The previous state. Changes since this state are marked. */
  former?: StakeholderMap
  caption: { title: string; version: number; diff?: number }
}

/** Larger pictures are unreadable and slow to arrange. */
export const MAX_PICTURED_PEOPLE = 2_000

/** Draws a map. Deterministic: the same map always produces the same text. */
export function drawMap({ map, former, caption }: PicturedMaps, format: PictureFormat): string {
  const graph = buildGraph(map, former)
  if (format === 'mermaid') return renderMermaid(graph)
  if (format === 'graphml') return renderGraphml(graph, caption.title)
  return renderSvg(layOut(graph), caption)
}
