import { useQuery } from '@tanstack/react-query'
import { UnstyledButton } from '@mantine/core'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { Highlight } from './highlight.tsx'
import { Loading } from '../parts/loading.tsx'
import { DOCUMENT_KINDS } from './place.ts'
import { useSearchQuery } from './queries.ts'
import type { Mode } from './search.ts'

interface MatchesProps {
  query: string
  mode: Mode
  chosen: string | undefined
  onChoose: (place: string) => void
}

/** The documents that a search finds, best first, each with the passage that fits. */
export function Matches({ query, mode, chosen, onChoose }: MatchesProps) {
  const { data, error, refetch } = useQuery(useSearchQuery(query, mode))
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <>
      {data.matches.length === 0 && <Empty title="Nothing found">Try other words, or search by meaning.</Empty>}
      <ul className="item-list">
        {data.matches.map(({ resource_id, type, title, path, chunk }) => {
          const place = `${type}:${resource_id}`
          return (
            <li key={resource_id}>
              <UnstyledButton className="item match" aria-pressed={place === chosen} onClick={() => onChoose(place)}>
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
            </li>
          )
        })}
      </ul>
    </>
  )
}
