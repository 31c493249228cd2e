/**
 * Replaces the content of each `<!-- generated: name -->` region in a Markdown page. Throws if there is no content
 * for a region.
 */
export function fillRegions(page: string, contents: Record<string, string>): string {
  return page.replaceAll(
    /(<!-- generated: ([\w-]+) -->\n)[\s\S]*?(<!-- end of generated -->)/g,
    (_, start: string, name: string, end: string) => {
      const content = contents[name]
      if (content === undefined) throw new Error(`Nothing generates the region "${name}"`)
      return `${start}\n${content.trim()}\n\n${end}`
    },
  )
}

/** Renders a Markdown table. Escapes line breaks, vertical bars and tags in cells, but not inside code. */
export function renderTable(header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(escapeCell).join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Renders one table per group, in the order of their names, each below a heading. */
export const renderGroups = <T>(
  items: readonly T[],
  groupOf: (item: T) => string,
  header: string[],
  toRow: (item: T) => string[],
): string =>
  [...Map.groupBy(items, groupOf)]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([group, members]) => `### ${group}\n\n${renderTable(header, members.map(toRow))}`)
    .join('\n\n')

const escapeCell = (cell: string) =>
  cell
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .replaceAll(/(`[^`]*`)|</g, (_, span: string | undefined) => span ?? '&lt;')

export const code = (text: string): string => `\`${text}\``
