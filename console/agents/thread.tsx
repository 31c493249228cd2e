import type { Data, Item } from '@ganglion/client'
import { Button, Title } from '@mantine/core'
import { IconTool } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { FileList } from '../shared/parts/files.tsx'
import { RunLink, RunStatus, Status, When } from '../shared/parts/inline.tsx'
import { Person } from '../shared/parts/person.tsx'
import { Read } from '../shared/parts/read.tsx'
import { Markdown, Json, Value } from '../shared/parts/values.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { Composer } from './composer.tsx'
import { OpenTurn } from './open-turn.tsx'

type Message = Data<'traces.get'>['messages'][number]
type Turn = Item<'jobs.list'>

/** Distance from the end, in pixels, within which a thread scrolls to new messages automatically. */
const NEAR = 160

/** A thread: the messages and tool calls of each turn, the current answer, and the composer. */
export function Thread({ traceId }: { traceId: string }) {
  const { can } = useSignedIn()
  const query = useThread(traceId)
  return (
    <Read query={query}>
      {({ trace, messages, turns }) => (
        <>
          <Title order={2} size="h4" className="thread-title">
            {trace.title}
          </Title>
          <Messages>
            {query.hasPreviousPage && (
              <Button
                variant="subtle"
                fullWidth
                loading={query.isFetchingPreviousPage}
                onClick={() => void query.fetchPreviousPage()}
              >
                Show earlier messages
              </Button>
            )}
            <Turns messages={messages} turns={turns} author={trace.actor} />
          </Messages>
          {can('conversations:write') && <Composer trace={trace} />}
        </>
      )}
    </Read>
  )
}

const MESSAGES = 100
const RUNS = 200
const NONE: ReadonlyMap<string, Turn> = new Map()

/**
 * Loads the messages in a thread, latest page first, and the thread's latest runs by job id. Earlier pages load on
 * request. Runs load before messages, so that a finished run's answer is among the messages.
 */
function useThread(traceId: string) {
  const { ganglion, brainId } = useSignedIn()
  const findLastPage = async (): Promise<number> => {
    const { pagination } = await ganglion.traces.get(traceId, { limit: 1 })
    return Math.max(0, pagination.total - MESSAGES)
  }
  const listTurns = async () => {
    const { data } = await ganglion.jobs.list({ trace_id: traceId, child_runs: 'false', limit: RUNS })
    return new Map(data.map(job => [job.job_id, job]))
  }
  return useInfiniteQuery({
    queryKey: ['traces', 'one', traceId, brainId],
    queryFn: async ({ pageParam }: { pageParam: number | undefined }) => {
      const [turns, offset] =
        pageParam === undefined ? await Promise.all([listTurns(), findLastPage()]) : [NONE, pageParam]
      const { trace, messages } = await ganglion.traces.get(traceId, { limit: MESSAGES, offset })
      return { trace, messages, turns, offset }
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: () => null,
    getPreviousPageParam: ({ offset }) => (offset === 0 ? null : Math.max(0, offset - MESSAGES)),
    select: ({ pages }) =>
      pages.reduce((earlier, later) => ({ ...later, messages: [...earlier.messages, ...later.messages] })),
  })
}

interface TurnsProps {
  messages: Message[]
  turns: ReadonlyMap<string, Turn>
  author: string
}

function Turns({ messages, turns, author }: TurnsProps) {
  const groups = groupByRun(messages)
  // Messages in a thread are answered sequentially.
  const answering = groups.find(({ jobId }) => isOpen(turns.get(jobId)))?.jobId
  return groups.map(({ jobId, messages }) => (
    <TurnView
      key={jobId}
      jobId={jobId}
      messages={messages}
      turn={turns.get(jobId)}
      author={author}
      isAnswering={jobId === answering}
    />
  ))
}

/** Keeps the end of a growing thread in view, unless the person has scrolled up. */
function Messages({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight
    })
    for (const child of [element, ...element.children]) observer.observe(child)
    return () => observer.disconnect()
  })
  return (
    <div
      ref={box}
      className="thread"
      // A scrollable region must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="group"
      aria-label="Messages"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR
      }}
    >
      {children}
    </div>
  )
}

interface Group {
  jobId: string
  messages: Message[]
}

function groupByRun(messages: Message[]): Group[] {
  const groups: Group[] = []
  for (const message of messages) {
    const last = groups.at(-1)
    if (last?.jobId === message.job_id) last.messages.push(message)
    else groups.push({ jobId: message.job_id, messages: [message] })
  }
  return groups
}

interface TurnProps {
  jobId: string
  messages: Message[]
  turn: Turn | undefined
  author: string
  isAnswering: boolean
}

const isOpen = (turn: Turn | undefined): boolean => turn !== undefined && turn.finished_at === null

function TurnView({ jobId, messages, turn, author, isAnswering }: TurnProps) {
  const results = new Map(messages.flatMap(message => (message.role === 'tool' ? [[message.call_id, message]] : [])))
  const answers = messages.filter(({ role }) => role === 'assistant').length
  return (
    <article className="turn" aria-label={`Turn ${messages[0]?.turn ?? ''}`}>
      {messages.map((message, index) => (
        // Messages are only appended to a turn, so indexes are stable keys.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="turn-part">
          {message.text && <Said message={message} author={author} />}
          {message.calls?.map(call => (
            <ToolCall key={call.id} {...call} result={results.get(call.id)} />
          ))}
        </div>
      ))}
      {isOpen(turn) && <OpenTurn jobId={jobId} answers={answers} isAnswering={isAnswering} />}
      {turn?.status === 'failed' && (
        <p className="turn-failed">
          <RunStatus run={turn} /> {turn.failedReason}
        </p>
      )}
      <p className="item-note">
        <RunLink jobId={jobId}>Run</RunLink>
        {messages[0] && <When time={messages[0].at} />}
      </p>
    </article>
  )
}

const Said = ({ message: { role, text = '', files = [] }, author }: { message: Message; author: string }) =>
  role === 'user' ? (
    <div className="said">
      <span className="said-by">
        <Person actor={author} />
      </span>
      <p className="detail-text">{text}</p>
      <FileList files={files} />
    </div>
  ) : (
    <Markdown text={text} />
  )

interface ToolCallProps {
  name: string
  args?: unknown
  result: Message | undefined
}

/** A collapsed tool call with its arguments and result. */
const ToolCall = ({ name, args, result }: ToolCallProps) => (
  <details className="tool-call">
    <summary>
      <IconTool size={16} stroke={1.7} aria-hidden /> {name}
      <Status status={result ? (result.is_error ? 'failed' : 'completed') : 'running'} />
    </summary>
    <div className="tool-call-body">
      <Value value={args} />
      {result && <Json value={result.output} />}
    </div>
  </details>
)
