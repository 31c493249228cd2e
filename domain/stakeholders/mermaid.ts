import { type Graph, type GraphNode, STANCES } from './graph.ts'

/** Characters with a special meaning in Mermaid or HTML. */
const SPECIAL = /[^\p{L}\p{N}\p{M} .,()/+_-]/gu

/** Renders a graph as a Mermaid flowchart. Names are untrusted data, so all special characters become entities. */
export function renderMermaid({ nodes, edges }: Graph): string {
  const keys = new Map(nodes.map(({ id }, i) => [id, `n${i}`]))
  return [
    'graph LR',
    ...nodes.map(
      node => `  ${keys.get(node.id)}["${renderLabel(node)}"]:::${node.stance}${node.mark ? `_${node.mark}` : ''}`,
    ),
    ...edges.map(
      ({ from, to, label, mark }) =>
        `  ${keys.get(from)} ${mark === 'removed' ? '-.->' : mark ? '==>' : '-->'}|"${escape(mark ? `${label} (${mark})` : label)}"| ${keys.get(to)}`,
    ),
    ...STANCES.flatMap(stance => {
      const fill = `fill:${FILLS[stance]},color:#1b2430`
      return [
        `  classDef ${stance} ${fill},stroke:#566274`,
        `  classDef ${stance}_added ${fill},stroke:#0a7a44,stroke-width:3px`,
        `  classDef ${stance}_changed ${fill},stroke:#8a5a00,stroke-width:3px`,
        `  classDef ${stance}_removed ${fill},stroke:#b3263e,stroke-dasharray:5 4`,
      ]
    }),
    '',
  ].join('\n')
}

const FILLS = {
  for: '#c9efdc',
  mixed: '#fbe3bd',
  neutral: '#dde4eb',
  against: '#f8ccd4',
  other: '#e0d7f8',
  unknown: '#ffffff',
}

const renderLabel = ({ name, about, mark }: GraphNode): string =>
  [name, about, mark && `(${mark})`]
    .filter(line => typeof line === 'string' && line !== '')
    .map(line => escape(line as string))
    .join('<br/>')

const escape = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(SPECIAL, sign => `#${sign.codePointAt(0)};`)
