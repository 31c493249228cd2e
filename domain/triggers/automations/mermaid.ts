import { type AutomationGraph, describeCounts, nameHealth } from './graph.ts'

/** Characters with a special meaning in Mermaid or HTML. */
const SPECIAL = /[^\p{L}\p{N}\p{M} .,()/+_-]/gu

/**
 * Renders triggers and their targets as a Mermaid flowchart. Texts are untrusted data, so special characters become
 * entities.
 */
export function renderAutomationMermaid({ triggers, targets, edges }: AutomationGraph): string {
  const keys = new Map([
    ...triggers.map(({ id }, i) => [id, `t${i}`] as const),
    ...targets.map(({ key }, i) => [key, `g${i}`] as const),
  ])
  return [
    'graph LR',
    ...triggers.map(({ id, title, about, health, counts }) => {
      const lines = [title, about, `${nameHealth(health)} · ${describeCounts(counts)}`]
      return `  ${keys.get(id)}(["${lines.map(escape).join('<br/>')}"]):::${health}`
    }),
    ...targets.map(
      ({ key, type, title, isMissing }) =>
        `  ${keys.get(key)}["${[title, isMissing ? `${type}, missing` : type].map(escape).join('<br/>')}"]${isMissing ? ':::target_missing' : ''}`,
    ),
    ...edges.map(({ from, to }) => `  ${keys.get(from)} --> ${keys.get(to)}`),
    '  classDef ok fill:#c9efdc,stroke:#1f9d63,color:#1b2430',
    '  classDef paused fill:#dde4eb,stroke:#6f8296,color:#1b2430',
    '  classDef over_limit fill:#fbe3bd,stroke:#d98a1c,color:#1b2430',
    '  classDef failing fill:#f8ccd4,stroke:#d5435c,color:#1b2430',
    '  classDef target_missing fill:#ffffff,stroke:#d5435c,color:#1b2430,stroke-dasharray:5 4',
    '',
  ].join('\n')
}

const escape = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(SPECIAL, sign => `#${sign.codePointAt(0)};`)
