import { APIError } from '@ganglion/client/errors'
import { Button, Alert, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loading } from './loading.tsx'

type Query<Reply> = Pick<UseQueryResult<Reply>, 'data' | 'error' | 'fetchStatus' | 'refetch'>

interface ReadProps<Reply> {
  query: Query<Reply>
  children: (data: Reply) => ReactNode
}

/** Shows loaded data, a loading indicator or an error. */
export const Read = <Reply,>({ query: { data, error, fetchStatus, refetch }, children }: ReadProps<Reply>) => (
  <>
    {error && <Failure error={error} onRetry={() => void refetch()} />}
    {data === undefined ? !error && fetchStatus !== 'idle' && <Loading /> : children(data)}
  </>
)

interface ReadListProps<Item> {
  query: Query<{ data: Item[] }> & {
    hasNextPage?: boolean
    isFetchingNextPage?: boolean
    fetchNextPage?: () => Promise<unknown>
  }
  /** Texts of an empty list. */
  empty?: [title: string, text?: string]
  className: string
  keyOf: (item: Item) => string
  children: (item: Item) => ReactNode
}

/** Shows a loaded list, with a button to load more. */
export const ReadList = <Item,>({ query, empty, className, keyOf, children }: ReadListProps<Item>) => (
  <Read query={query}>
    {({ data }) => (
      <>
        {data.length === 0 && empty && <Empty title={empty[0]}>{empty[1]}</Empty>}
        <ul className={className}>
          {data.map(item => (
            <li key={keyOf(item)}>{children(item)}</li>
          ))}
        </ul>
        {query.hasNextPage && (
          <Button
            variant="subtle"
            fullWidth
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage?.()}
          >
            Show more
          </Button>
        )}
      </>
    )}
  </Read>
)

/** Shows an error with the service's message. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const message = error instanceof Error ? error.message : String(error)
  const requestId = APIError.is(error) && error.requestId
  const details = (APIError.is(error) && error.details) || []
  return (
    <Alert role="alert" variant="default" icon={<IconAlertTriangle />} title="Something went wrong" className="failure">
      <Text size="sm">{message}</Text>
      {details.length > 0 && (
        <ul className="plain-list">
          {details.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              {pointer !== '' && <code>{pointer}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {requestId && (
        <Text size="xs" c="dimmed" mt={4}>
          Request {requestId}
        </Text>
      )}
      {onRetry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={onRetry}>
            Retry
          </Button>
        </Group>
      )}
    </Alert>
  )
}

/** Returns the service's message for a request field. */
export const findProblem = (error: unknown, pointer: string): string | undefined =>
  APIError.is(error) ? error.details?.find(problem => problem.pointer === pointer)?.message : undefined

/** Empty state. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty">
    <Text fw={600}>{title}</Text>
    {children && (
      <Text size="sm" c="dimmed" component="div">
        {children}
      </Text>
    )}
  </div>
)
