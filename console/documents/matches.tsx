import { UnstyledButton } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { ReadList } from '../shared/parts/read.tsx'
import { useRead } from '../shared/service/use-service.ts'
import { DOCUMENT_KINDS } from './place.ts'
import type { Mode } from './search.ts'

interface MatchesProps {
  query: string
  mode: Mode
  selectedKey: string | undefined
  onChoose: (place: string) => void
}

const LISTED = 50

/** Search results, best match first, each with the matching passage. */
export function Matches({ query, mode, selectedKey, onChoose }: MatchesProps) {
  const matches = useRead(
    ['resources', 'search', query, mode],
    async ({ search }) => {
      const types = Object.keys(DOCUMENT_KINDS) as never
      return { data: (await search.query({ query, mode, types, limit: LISTED })).matches }
    },
    { placeholderData: keepPreviousData },
  )
  return (
    <ReadList
      query={matches}
      empty={['Nothing found', 'Try other words, or search by meaning.']}
      className="item-list"
      keyOf={buildKey}
    >
      {match => {
        const { type, title, path, chunk } = match
        const place = buildKey(match)
        return (
          <UnstyledButton className="item match" aria-pressed={place === selectedKey} onClick={() => onChoose(place)}>
            <span className="item-text">
              <span className="item-title">{title}</span>
              <span className="item-note">
                {DOCUMENT_KINDS[type] ?? type} in {path}
                {chunk?.page && `, page ${chunk.page}`}
              </span>
              {chunk && (
                <span className="match-text">
                  <Highlight text={chunk.highlight} />
                </span>
              )}
            </span>
          </UnstyledButton>
        )
      }}
    </ReadList>
  )
}

const buildKey = ({ type, resource_id }: { type: string; resource_id: string }): string => `${type}:${resource_id}`

/** The sign of a Markdown heading at the start of a line. */
const HEADING = /(^|\n)#{1,6} /g
const MARKS = /<\/?mark>/
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'", '#x2F': '/' }

/**
 * A highlighted search excerpt. The service sends escaped HTML with marks; it is parsed as text, so nothing in it
 * becomes an element.
 */
const Highlight = ({ text }: { text: string }) =>
  text
    .replaceAll(HEADING, '$1')
    .split(MARKS)
    .map((part, index) =>
      // Every second part is between marks. The parts never move, so indexes are stable keys.
      // oxlint-disable-next-line react/no-array-index-key
      index % 2 === 1 ? <mark key={index}>{unescape(part)}</mark> : unescape(part),
    )

const unescape = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#x27|#39|#x2F);/g, (whole, name: string) => ENTITIES[name] ?? whole)
