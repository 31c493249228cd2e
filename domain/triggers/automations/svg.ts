import { fitText } from '../../shared/text/text-width.ts'
import { escapeXml } from '../../shared/text/xml.ts'
import { type AutomationGraph, describeCounts, type GraphTarget, type GraphTrigger, nameHealth } from './graph.ts'

const BOX_WIDTH = 300
const TRIGGER_HEIGHT = 66
const TARGET_HEIGHT = 48
const ROW = 84
const GAP = 170
const PADDING = 28
const HEADER = 64
const NAME_SIZE = 14
const TEXT_SIZE = 12
const MARGIN = 14
const NAME_INDENT = 32

/** Colors of the light and dark schemes. Texts have a contrast ratio of at least 4.5 with the background. */
const STYLE = `
.automations{--ground:#ffffff;--box:#f5f7fa;--text:#1b2430;--muted:#566274;--line:#98a4b3;--ok:#1f9d63;--paused:#6f8296;--over_limit:#d98a1c;--failing:#d5435c;--target_missing:#d5435c}
@media(prefers-color-scheme:dark){.automations{--ground:#14181e;--box:#1d232b;--text:#e8edf3;--muted:#a9b4c2;--line:#5b6878;--ok:#3cc586;--paused:#93a5b8;--over_limit:#f0ab45;--failing:#f06a80;--target_missing:#f06a80}}
.automations text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-size:${TEXT_SIZE}px;fill:var(--text)}
.automations .ground{fill:var(--ground)}.automations .name{font-weight:600;font-size:${NAME_SIZE}px}.automations .title{font-weight:600;font-size:18px}
.automations .muted{fill:var(--muted)}.automations rect.box{fill:var(--box);stroke:var(--line)}
.automations rect.missing{stroke:var(--target_missing);stroke-dasharray:5 4}
.automations .edge{fill:none;stroke:var(--line);stroke-width:1.6}.automations .arrow{fill:var(--line)}
${['ok', 'paused', 'over_limit', 'failing', 'target_missing'].map(health => `.automations .${health}{fill:var(--${health})}`).join('')}`

/**
 * Renders triggers next to their targets as an SVG document that adapts to light and dark schemes. All text stays
 * selectable.
 */
export function renderAutomationSvg({ triggers, targets, edges }: AutomationGraph): string {
  const height = HEADER + Math.max(triggers.length, targets.length, 1) * ROW + PADDING
  const width = 2 * BOX_WIDTH + GAP + 2 * PADDING
  const triggerAt = new Map(triggers.map(({ id }, i) => [id, HEADER + i * ROW]))
  const offset = ((triggers.length - targets.length) * ROW) / 2
  const targetAt = new Map(targets.map(({ key }, i) => [key, HEADER + i * ROW + Math.max(0, offset)]))
  const lines = edges.flatMap(({ from, to }) => {
    const [start, end] = [triggerAt.get(from), targetAt.get(to)]
    return start === undefined || end === undefined ? [] : [renderEdge(start, end)]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="automations" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">`,
    '<title id="title">Automations: triggers and their targets</title>',
    `<style>${STYLE}</style>`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="arrow" d="M0 0L8 4L0 8z"/></marker></defs>',
    `<rect class="ground" width="${width}" height="${height}"/>`,
    `<text class="title" x="${PADDING}" y="38">Automations</text>`,
    ...lines,
    ...triggers.map(trigger => renderTrigger(trigger, triggerAt.get(trigger.id) ?? 0)),
    ...targets.map(target => renderTarget(target, targetAt.get(target.key) ?? 0)),
    '</svg>',
    '',
  ].join('\n')
}

function renderEdge(start: number, end: number): string {
  const [x1, x2] = [PADDING + BOX_WIDTH, PADDING + BOX_WIDTH + GAP]
  const [y1, y2] = [start + TRIGGER_HEIGHT / 2, end + TARGET_HEIGHT / 2]
  const bend = GAP / 2
  return `<path class="edge" marker-end="url(#arrow)" d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - 2} ${y2}"/>`
}

function renderTrigger({ title, about, health, counts }: GraphTrigger, y: number): string {
  const state = `${nameHealth(health)} · ${describeCounts(counts)}`
  return [
    `<g><title>${escapeLine(`${title}: ${about}; ${state}`)}</title>`,
    `<rect class="box" x="${PADDING}" y="${y}" width="${BOX_WIDTH}" height="${TRIGGER_HEIGHT}" rx="8"/>`,
    `<circle class="${health}" cx="${PADDING + 18}" cy="${y + 19}" r="6"/>`,
    `<text class="name" x="${PADDING + NAME_INDENT}" y="${y + 24}">${fitName(title, NAME_INDENT)}</text>`,
    `<text class="muted" x="${PADDING + MARGIN}" y="${y + 42}">${fitLine(about)}</text>`,
    `<text class="muted" x="${PADDING + MARGIN}" y="${y + 58}">${fitLine(state)}</text></g>`,
  ].join('')
}

function renderTarget({ title, type, isMissing }: GraphTarget, y: number): string {
  const x = PADDING + BOX_WIDTH + GAP
  return [
    `<g><title>${escapeLine(`${type} ${title}`)}</title>`,
    `<rect class="box${isMissing ? ' missing' : ''}" x="${x}" y="${y}" width="${BOX_WIDTH}" height="${TARGET_HEIGHT}" rx="8"/>`,
    `<text class="name" x="${x + MARGIN}" y="${y + 20}">${fitName(title, MARGIN)}</text>`,
    `<text class="muted" x="${x + MARGIN}" y="${y + 37}">${isMissing ? `${type}, missing` : type}</text></g>`,
  ].join('')
}

const fitLine = (text: string): string => escapeLine(fitText(text, TEXT_SIZE, BOX_WIDTH - 2 * MARGIN))

const fitName = (text: string, indent: number): string =>
  escapeLine(fitText(text, NAME_SIZE, BOX_WIDTH - indent - MARGIN))

/** Escapes a single-line text. Control characters become spaces. */
const escapeLine = (text: string): string => escapeXml(text.replaceAll(/\p{Cc}/gu, ' '))
