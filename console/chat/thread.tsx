import { Button, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useLayoutEffect, useRef } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { toName } from '../parts/names.ts'
import { Status } from '../parts/status.tsx'
import { When } from '../parts/when.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { Composer } from './composer.tsx'
import { OpenTurn } from './open-turn.tsx'
import { type Message, type Turn, useThreadQuery } from './queries.ts'
import { ToolCall } from './tool-call.tsx'

const Markdown = lazy(() => import('../parts/markdown.tsx'))
/** Within so many pixels of its end, a thread stays at its end. */
const NEAR = 160

/** A thread: what was said and called in each turn, what is being answered, and the next message. */
export function Thread({ traceId }: { traceId: string }) {
  const { can } = useSignedIn()
  const { data, error, refetch, hasPreviousPage, fetchPreviousPage, isFetchingPreviousPage } = useInfiniteQuery(
    useThreadQuery(traceId),
  )
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  const latest = data?.pages.at(-1)
  if (!data || !latest) return <Loading />
  const { trace, turns } = latest
  const groups = groupByRun(data.pages.flatMap(({ messages }) => messages))
  // Messages of a thread are answered one after the other.
  const answering = groups.find(({ jobId }) => isOpen(turns.get(jobId)))?.jobId
  return (
    <>
      <Title order={2} size="h4" className="thread-title">
        {trace.title}
      </Title>
      <Messages>
        {hasPreviousPage && (
          <Button variant="subtle" fullWidth loading={isFetchingPreviousPage} onClick={() => void fetchPreviousPage()}>
            Show earlier messages
          </Button>
        )}
        {groups.map(({ jobId, messages }) => (
          <TurnView
            key={jobId}
            jobId={jobId}
            messages={messages}
            turn={turns.get(jobId)}
            author={trace.actor}
            isAnswering={jobId === answering}
          />
        ))}
      </Messages>
      {can('conversations:write') && <Composer trace={trace} />}
    </>
  )
}

/** Keeps the end of the thread in view while it grows, unless the person reads further up. */
function Messages({ children }: { children: React.ReactNode }) {
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
      // A region that scrolls is reached by keyboard.
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
  const results = new Map(messages.flatMap(one => (one.role === 'tool' ? [[one.call_id, one]] : [])))
  const answers = messages.filter(({ role }) => role === 'assistant').length
  return (
    <article className="turn" aria-label={`Turn ${messages[0]?.turn ?? ''}`}>
      {messages.map((message, index) => (
        // Messages of a turn are only added at its end.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="turn-part">
          {message.text && <Said message={message} author={author} />}
          {message.calls?.map(call => (
            <ToolCall key={call.id} name={call.name} args={call.args} result={results.get(call.id)} />
          ))}
        </div>
      ))}
      {isOpen(turn) && <OpenTurn jobId={jobId} answers={answers} isAnswering={isAnswering} />}
      {turn?.status === 'failed' && (
        <p className="turn-failed">
          <Status status="failed" /> {turn.failedReason}
        </p>
      )}
      <p className="item-note">
        <Link to="/runs/$jobId" params={{ jobId }} className="table-link">
          Run
        </Link>
        {messages[0] && <When time={messages[0].at} />}
      </p>
    </article>
  )
}

const Said = ({ message: { role, text = '' }, author }: { message: Message; author: string }) =>
  role === 'user' ? (
    <div className="said">
      <span className="said-by">{toName(author)}</span>
      <p className="detail-text">{text}</p>
    </div>
  ) : (
    <Suspense fallback={<p className="detail-text">{text}</p>}>
      <Markdown text={text} />
    </Suspense>
  )
