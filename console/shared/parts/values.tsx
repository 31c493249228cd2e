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
  /** Its texts are Markdown, such as those that agents write. */
  isMarkdown?: boolean
}

/** A JSON value for people: objects as lists of names and values, texts as they are. */
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

/** Texts as they are, nothing for what is absent. */
const formatValue = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

type Row = Record<string, unknown>

const MAX_COLUMNS = 6

/** Whether a list of objects has few fields, none of which has parts. */
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
        // The rows of a value have no other identity and never move.
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

/** What is shown of a long value, in characters. The rest is downloaded. */
const MAX_SHOWN = 65_536

/** A value as JSON, to copy or to download. */
export function LongJson({ value, name }: { value: unknown; name: string }) {
  if (value === undefined) return <Empty title="Nothing was recorded" />
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

/** Short facts in a row: each child is one, where there is something to say. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <ul className="facts">{Children.map(children, fact => fact && <li>{fact}</li>)}</ul>
)

/** Has the browser save a text as a file of JSON. */
export function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  URL.revokeObjectURL(address)
}

const AsWritten = ({ text }: { text: string }) => <p className="detail-text">{text}</p>

/** Without what reads it, such as while the service is away, a text is no reason for a broken page. */
const RenderedMarkdown = lazy<ComponentType<{ text: string }>>(() =>
  import('./markdown.tsx').catch(() => ({ default: AsWritten })),
)

/** Markdown of models and people; as it is written until what reads it is loaded. */
export const Markdown = ({ text }: { text: string }) => (
  <Suspense fallback={<AsWritten text={text} />}>
    <RenderedMarkdown text={text} />
  </Suspense>
)
