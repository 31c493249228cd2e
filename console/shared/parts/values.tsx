import { Code, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Children, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { ActionButton, CopyText } from './buttons.tsx'
import { formatLabel } from './names.ts'
import { Empty } from './read.tsx'
import { ScrollTable } from './tables.tsx'

/** Deeper values are shown as JSON. */
const MAX_DEPTH = 4

interface ValueProps {
  value: unknown
  depth?: number
  /** Whether strings in the value are Markdown, such as text written by agents. */
  isMarkdown?: boolean
}

/** Displays a JSON value: objects as lists of names and values, strings unchanged. */
export function Value({ value, depth = 0, isMarkdown = false }: ValueProps) {
  if (value === null || value === undefined) return <span className="value-none">none</span>
  if (typeof value === 'string')
    return isMarkdown ? <Markdown text={value} /> : <span className="value-text">{value}</span>
  if (typeof value !== 'object') return <span>{formatValue(value)}</span>
  const isFlatList = Array.isArray(value) && value.every(item => typeof item !== 'object')
  if (isFlatList) return <span className="value-text">{value.join(', ') || 'none'}</span>
  if (isTable(value)) return <Rows rows={value} />
  if (Array.isArray(value) || depth >= MAX_DEPTH) return <Json value={value} />
  return (
    <dl className="values">
      {Object.entries(value).map(([name, item]) => (
        <div key={name}>
          <dt>{formatLabel(name)}</dt>
          <dd>
            <Value value={item} depth={depth + 1} isMarkdown={isMarkdown} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Formats a value. Absent values become an empty string. */
const formatValue = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

type Row = Record<string, unknown>

const MAX_COLUMNS = 6

/** Returns whether a list contains only objects with few, scalar fields. */
function isTable(value: object): value is Row[] {
  if (!Array.isArray(value) || value.length === 0) return false
  const isRow = (item: unknown) =>
    typeof item === 'object' && item !== null && Object.values(item).every(field => typeof field !== 'object')
  return value.every(isRow) && listColumns(value as Row[]).length <= MAX_COLUMNS
}

const listColumns = (rows: Row[]) => [...new Set(rows.flatMap(Object.keys))]

function Rows({ rows }: { rows: Row[] }) {
  const columns = listColumns(rows)
  return (
    <ScrollTable label="Rows" columns={columns.map(formatLabel)}>
      {rows.map((row, index) => (
        // Rows of a value have no other key, and they never move.
        // oxlint-disable-next-line react/no-array-index-key
        <tr key={index}>
          {columns.map(name => (
            <td key={name}>{formatValue(row[name])}</td>
          ))}
        </tr>
      ))}
    </ScrollTable>
  )
}

export const Json = ({ value }: { value: unknown }) => (
  <Code block className="json" tabIndex={0}>
    {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
  </Code>
)

/** Maximum number of characters shown. Longer values can be downloaded. */
const MAX_SHOWN = 65_536

/** Shows a value as JSON, with buttons to copy or download it. */
export function LongJson({ value, name }: { value: unknown; name: string }) {
  if (value === undefined) return <Empty title="No data recorded" />
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const isLong = text.length > MAX_SHOWN
  return (
    <>
      <Json value={isLong ? text.slice(0, MAX_SHOWN) : text} />
      <Group mt="xs" gap="xs">
        <CopyText text={text} label="Copy" />
        {isLong && (
          <ActionButton icon={IconDownload} onClick={() => download(text, `${name}.json`)}>
            Download all
          </ActionButton>
        )}
      </Group>
    </>
  )
}

/** Short facts in a row. Empty children are omitted. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <ul className="facts">{Children.map(children, fact => fact && <li>{fact}</li>)}</ul>
)

/** Downloads a text as a JSON file. */
export function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  URL.revokeObjectURL(address)
}

const AsWritten = ({ text }: { text: string }) => <p className="detail-text">{text}</p>

/** If the renderer can't be loaded, for example while the service is down, the page still shows the text. */
const RenderedMarkdown = lazy<ComponentType<{ text: string }>>(() =>
  import('./markdown.tsx').catch(() => ({ default: AsWritten })),
)

/** Markdown from models and people. Shown as plain text until the renderer is loaded. */
export const Markdown = ({ text }: { text: string }) => (
  <Suspense fallback={<AsWritten text={text} />}>
    <RenderedMarkdown text={text} />
  </Suspense>
)
