import { Fragment, type ReactNode, useMemo } from 'react'

/**
 * Renders the Markdown that answers use: paragraphs, headings, lists, quotes, code, emphasis and links. HTML stays text.
 * The bounds in the patterns limit the work for unusual texts.
 */
export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => renderBlocks(text.split('\n')), [text])
  return <>{blocks}</>
}

const FENCE = /^\s{0,3}(?:```|~~~)/
const HEADING = /^\s{0,3}#{1,6}\s+(.*)$/
const QUOTE = /^\s{0,3}>\s?/
const ITEM = /^\s*(?:[-*+]|(\d{1,9})[.)])\s+/

/** Quotes and lists in more levels are text. */
const MAX_LEVEL = 8

function renderBlocks(lines: string[], level = 0): ReactNode[] {
  const blocks: ReactNode[] = []
  let i = 0
  const add = (block: ReactNode) => blocks.push(<Fragment key={blocks.length}>{block}</Fragment>)

  /** Takes the lines up to the first that doesn't match. */
  function take(matches: (line: string) => boolean): string[] {
    const start = i
    while (i < lines.length && matches(lines[i] ?? '')) i++
    return lines.slice(start, i)
  }

  while (i < lines.length) {
    const line = lines[i] ?? ''
    if (FENCE.test(line)) {
      i++
      const code = take(each => !FENCE.test(each))
      i++
      add(
        <pre tabIndex={0}>
          <code>{code.join('\n')}</code>
        </pre>,
      )
    } else if (level < MAX_LEVEL && QUOTE.test(line)) {
      add(<blockquote>{renderBlocks(unquote(take(each => QUOTE.test(each))), level + 1)}</blockquote>)
    } else if (level < MAX_LEVEL && ITEM.test(line)) {
      add(
        renderList(
          take(each => ITEM.test(each) || /^\s+\S/.test(each)),
          level + 1,
        ),
      )
    } else if (HEADING.test(line)) {
      i++
      add(
        <p>
          <strong>{renderInline(HEADING.exec(line)?.[1] ?? '')}</strong>
        </p>,
      )
    } else if (line.trim() === '') i++
    else {
      i++
      add(<p>{renderLines([line, ...take(each => each.trim() !== '' && !isBlockStart(each))])}</p>)
    }
  }
  return blocks
}

const unquote = (lines: string[]) => lines.map(line => line.replace(QUOTE, ''))

const isBlockStart = (line: string) => [FENCE, QUOTE, ITEM, HEADING].some(pattern => pattern.test(line))

/** Renders a list. Indented lines belong to the item above. */
function renderList(lines: string[], level: number): ReactNode {
  const indent = /^\s*/.exec(lines[0] ?? '')?.[0].length ?? 0
  const items: string[][] = []
  for (const line of lines) {
    const isNested = (/^\s*/.exec(line)?.[0].length ?? 0) > indent + 1
    if (isNested || !ITEM.test(line)) items.at(-1)?.push(line.slice(indent + 2))
    else items.push([line.replace(ITEM, '')])
  }
  const [, start] = ITEM.exec(lines[0] ?? '') ?? []
  // The position identifies an item, because the text is never reordered.
  const children = items.map(([first = '', ...rest], index) => (
    <li key={String(index)}>
      {renderInline(first)}
      {rest.length > 0 && renderBlocks(rest, level)}
    </li>
  ))
  return start === undefined ? <ul>{children}</ul> : <ol start={Number(start)}>{children}</ol>
}

const renderLines = (lines: string[]): ReactNode[] =>
  lines.flatMap((line, i) => [i > 0 && <br key={String(i)} />, <Fragment key={`t${i}`}>{renderInline(line)}</Fragment>])

const INLINE =
  /`([^`]{1,500})`|\*\*([^*]{1,500})\*\*|\*([^*\s][^*]{0,500})\*|\[([^\]]{1,500})\]\(([^)\s]{1,2000})\)|(https?:\/\/[^\s<>"'`*()[\]]{0,2000}[^\s<>"'`*()[\].,:;!?])/g

function renderInline(text: string): ReactNode[] {
  const nodes: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong, emphasis, label, target, address] = match
    const { index: key } = match
    nodes.push(text.slice(end, key))
    end = key + whole.length
    if (code !== undefined) nodes.push(<code key={key}>{code}</code>)
    else if (strong !== undefined) nodes.push(<strong key={key}>{renderInline(strong)}</strong>)
    else if (emphasis !== undefined) nodes.push(<em key={key}>{renderInline(emphasis)}</em>)
    else if (target !== undefined) nodes.push(renderLink(target, label ?? target, key) ?? whole)
    else nodes.push(renderLink(address ?? '', address ?? '', key) ?? whole)
  }
  nodes.push(text.slice(end))
  return nodes
}

/** Returns undefined for an address that is not safe to open, such as `javascript:`. */
const renderLink = (target: string, label: string, key: number): ReactNode | undefined =>
  /^(?:https?:\/\/|mailto:)/i.test(target) ? (
    <a key={key} href={target} target="_blank" rel="noopener noreferrer nofollow">
      {label}
    </a>
  ) : undefined
