import type { Edge, Stakeholder } from '../resources/stakeholder-map.ts'
import type { Briefing } from './briefing.ts'
import { listSentences, type MapDiff } from './diff.ts'
import type { JsonValue } from '../shared/json/json.ts'
import { describeEdge, type Names, showValue } from './sentences.ts'

/** Escapes a text for a line of Markdown, so that user text is shown literally. */
const escape = (text: string): string =>
  text
    .replaceAll(/[\\`*_{}[\]<>#|~]/g, sign => `\\${sign}`)
    .replaceAll('&', '&amp;')
    .replaceAll(/\s+/g, ' ')
    .trim()

const list = (lines: string[], empty: string): string =>
  lines.length > 0 ? lines.map(line => `- ${line}`).join('\n') : empty

/** Renders a map as a table of people and a list of relations. */
export function renderMapMarkdown(
  map: { title: string; version: number; description: string | null; stakeholders: Stakeholder[]; edges: Edge[] },
  names: Names,
): string {
  const { title, version, description, stakeholders, edges } = map
  const rows = stakeholders.map(({ id, name, role, organization, stance, influence, interest }) =>
    [id, name, role, organization, stance, influence, interest].map(value => escape(String(value ?? ''))).join(' | '),
  )
  return [
    `# ${escape(title)} (version ${version})`,
    ...(description ? [escape(description)] : []),
    `## People (${stakeholders.length})`,
    [
      '| Id | Name | Role | Organization | Stance | Influence | Interest |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      ...rows.map(row => `| ${row} |`),
    ].join('\n'),
    `## Relations (${edges.length})`,
    list(
      edges.map(edge => escape(describeEdge(edge, names))),
      'None.',
    ),
    '',
  ].join('\n\n')
}

/** Renders a comparison of two states. */
export function renderDiffMarkdown(title: string, from: number, to: number, diff: MapDiff): string {
  const sentences = listSentences(diff)
  return [`# ${escape(title)}: version ${from} to version ${to}`, list(sentences.map(escape), 'No changes.'), ''].join(
    '\n\n',
  )
}

/** Renders a briefing. */
export function renderBriefingMarkdown(briefing: Briefing): string {
  const { stakeholder, relations, paths, changes, mentions, interventions, written: summary } = briefing
  const { name, role, organization, aliases, stance, influence, interest, notes, attributes } = stakeholder
  const facts: [string, JsonValue | undefined][] = [
    ['Role', role],
    ['Organization', organization],
    ['Also known as', aliases?.join(', ')],
    ['Stance', stance],
    ['Influence', influence],
    ['Interest', interest],
    ['Notes', notes],
    ...Object.entries(attributes),
  ]
  const section = (heading: string, lines: string[], empty = 'None.') => [`## ${heading}`, list(lines, empty)]
  return [
    `# ${escape(name)}`,
    `${escape(briefing.map_title)}, version ${briefing.version}, \`${stakeholder.id}\``,
    ...(summary ? [renderWritten(summary.sentences)] : []),
    ...section(
      'Profile',
      facts.flatMap(([label, value]) =>
        value === undefined || value === '' ? [] : [`**${escape(label)}**: ${escape(showValue(value))}`],
      ),
      'No details are known.',
    ),
    ...section(
      'Outgoing relations',
      relations.outgoing.map(({ sentence }) => escape(sentence)),
    ),
    ...section(
      'Incoming relations',
      relations.incoming.map(({ sentence }) => escape(sentence)),
    ),
    ...(paths.length > 0
      ? section(
          'Paths',
          paths.map(({ sentence }) => escape(sentence)),
        )
      : []),
    ...section(
      'Changes',
      changes.map(
        ({ version, at, author, note, sentences }) =>
          `Version ${version}, ${at.slice(0, 10)}, ${escape(author)}${note ? ` (${escape(note)})` : ''}: ${sentences.map(escape).join(' ')}`,
      ),
    ),
    ...section(
      'Mentioned in',
      (mentions ?? []).map(({ title, path, excerpt }) => `**${escape(title)}** (${escape(path)}): ${escape(excerpt)}`),
      mentions ? 'None.' : 'Search is currently unavailable.',
    ),
    ...section(
      'Open questions for this person',
      interventions.map(({ title, due_at }) => `${escape(title)}${due_at ? `, due ${due_at}` : ''}`),
    ),
    ...(summary ? section('Facts', []).slice(0, 1).concat(renderFacts(briefing.facts)) : []),
    '',
  ].join('\n\n')
}

const renderWritten = (sentences: { text: string; facts: number[] }[]): string =>
  sentences.map(({ text, facts }) => `${escape(text)} ${facts.map(n => `\\[${n}\\]`).join('')}`).join(' ')

const renderFacts = (facts: string[]): string => facts.map((fact, i) => `${i + 1}. ${escape(fact)}`).join('\n')
