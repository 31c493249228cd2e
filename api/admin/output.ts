/** Output options that every command accepts. */
export interface Output {
  json?: boolean
}

/** Prints one JSON line if requested, otherwise the text. */
export const say = (json: boolean | undefined, value: object, text: string): void =>
  console.log(json ? JSON.stringify(value) : text)

/** Renders rows as columns. The first row is the header. */
export function renderTable(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
