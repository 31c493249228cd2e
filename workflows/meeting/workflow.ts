import {
  condition,
  ContinueAsNew,
  continueAsNew,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { FinishInput, MeetingActivities, MeetingResult, PathwayProjections } from '../../activities/types.ts'
import type { JsonValue } from '../../domain/json.ts'
import { describe } from '../failures.ts'
import { recordOptions } from '../record-options.ts'
import { throwUnlessCompleted } from '../shared/end.ts'
import { nonCancellable } from '../shared/scopes.ts'
import { renderDetails, type Heard } from './details.ts'
import { audioSignal, endSignal, type MeetingRunInput } from './messages.ts'
import { concludeOptions, pieceOptions } from './options.ts'

const { record, finish, pendingAudio, failAudio } = proxyLocalActivities<
  PathwayProjections & Pick<MeetingActivities, 'pendingAudio' | 'failAudio'>
>(recordOptions)
const { concludeMeeting } = proxyActivities<MeetingActivities>(concludeOptions)

interface End extends Pick<FinishInput, 'outcome' | 'error'> {
  result?: MeetingResult
}

/**
 * Listens to a meeting as long as it lasts: each piece of audio is an activity, some at a time. Which pieces there are
 * Postgres knows; signals only say that there is one more. Ends when it is told to, or hears nothing for too long.
 */
export async function meeting(input: MeetingRunInput): Promise<MeetingResult> {
  const run = new Listening(input)
  setHandler(audioSignal, piece => run.add(piece))
  setHandler(endSignal, ({ by }) => run.endBy(by))
  const { job } = input
  await nonCancellable(() =>
    record({ job, status: 'running', seq: 1, current_step: 'listen', nodes: [], interventions: [] }),
  )
  const end = await outcomeOf(() => run.listen())
  await nonCancellable(() => run.settled())
  run.show(end.outcome)
  const { outcome, error } = end
  const result = end.result as JsonValue | undefined
  await nonCancellable(() =>
    finish({ job, outcome, error, result, seq: 2, at: new Date().toISOString(), nodes: [], interventions: [] }),
  )
  throwUnlessCompleted(end)
  return end.result as MeetingResult
}

async function outcomeOf(work: () => Promise<MeetingResult>): Promise<End> {
  try {
    return { outcome: 'completed', result: await work() }
  } catch (error) {
    if (isCancellation(error)) return { outcome: 'cancelled' }
    // Continuing as new is thrown as well.
    if (error instanceof ContinueAsNew) throw error
    return { outcome: 'failed', error: describe(error).error }
  }
}

interface Piece {
  seq: number
  sha256: string
}

class Listening {
  private readonly input: MeetingRunInput
  private readonly waiting = new Map<string, Piece>()
  private readonly open = new Set<string>()
  private readonly count: Heard = { heard: 0, failed: 0 }
  private endedBy: string | undefined
  /** What went wrong beyond one piece: a cancel, or what could not be written down. */
  private broken: { error: unknown } | undefined

  constructor(input: MeetingRunInput) {
    this.input = input
    this.endedBy = input.ended_by
  }

  add(piece: Piece): void {
    this.waiting.set(`${piece.seq} ${piece.sha256}`, piece)
  }

  endBy(by: string): void {
    this.endedBy ??= by
  }

  /** What was begun is over: after a cancel it may take a moment. */
  settled(): Promise<void> {
    return condition(() => this.open.size === 0)
  }

  show(word: string): void {
    setCurrentDetails(renderDetails(this.input, this.count, word))
  }

  async listen(): Promise<MeetingResult> {
    await this.fetch(false)
    while (this.endedBy === undefined) {
      this.begin()
      if (workflowInfo().continueAsNewSuggested) await this.continue()
      const hasNews = await condition(() => this.hasNews(), this.input.idle_ms)
      if (!hasNews && this.open.size === 0) this.endBy(this.input.requester)
    }
    await this.drain()
    const { job, meeting_id } = this.input
    return concludeMeeting({ job, meeting_id, by: this.endedBy })
  }

  private hasNews(): boolean {
    if (this.broken) throw this.broken.error
    return this.endedBy !== undefined || this.next() !== undefined
  }

  /** Nothing is taken any more; all that was is heard. */
  private async drain(): Promise<void> {
    do {
      await this.finishOpen()
      if (workflowInfo().continueAsNewSuggested) await this.continue()
      await this.fetch(true)
    } while (this.waiting.size > 0)
  }

  private async finishOpen(): Promise<void> {
    while (this.waiting.size + this.open.size > 0) {
      this.begin()
      const before = this.open.size
      await condition(() => this.broken !== undefined || this.open.size < before)
      if (this.broken) throw this.broken.error
    }
  }

  /** What waits is fetched again by the next run. */
  private async continue(): Promise<void> {
    await condition(() => this.open.size === 0)
    if (this.broken) throw this.broken.error
    await continueAsNew<(input: MeetingRunInput) => Promise<MeetingResult>>({ ...this.input, ended_by: this.endedBy })
  }

  private async fetch(close: boolean): Promise<void> {
    const { job, meeting_id } = this.input
    for (const piece of await pendingAudio({ job, meeting_id, close })) this.add(piece)
    this.show(close ? 'ending' : 'listening')
  }

  private begin(): void {
    for (let key = this.next(); key !== undefined; key = this.next()) this.start(key)
  }

  /** What is to be begun now. A piece that is told of again while it is heard waits: it may have failed just now. */
  private next(): string | undefined {
    if (this.open.size >= this.input.concurrency) return undefined
    return [...this.waiting.keys()].find(key => !this.open.has(key))
  }

  private start(key: string): void {
    const piece = this.waiting.get(key) as Piece
    this.waiting.delete(key)
    this.open.add(key)
    void this.hear(piece)
      .catch((error: unknown) => (this.broken ??= { error }))
      .finally(() => this.open.delete(key))
  }

  /** A piece that can not be heard is noted, and is no reason not to listen to the others. */
  private async hear(piece: Piece): Promise<void> {
    const { job, meeting_id, time_limit_ms } = this.input
    const { hearAudio } = proxyActivities<MeetingActivities>(pieceOptions(piece.seq, time_limit_ms))
    try {
      await hearAudio({ job, meeting_id, ...piece })
      this.count.heard++
    } catch (error) {
      if (isCancellation(error)) throw error
      this.count.failed++
      await failAudio({ job, meeting_id, ...piece, error: describe(error).error })
    }
    this.show(this.endedBy === undefined ? 'listening' : 'ending')
  }
}
