import type { ActivityOptions } from '@temporalio/common'
import { retryThroughOutages, RECORD_OPTIONS } from '../shared/steps/activity-options.ts'
import {
  ContinueAsNew,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { FinishInput, MeetingActivities, MeetingResult, PathwayProjections } from '../../activities/types.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import { describeFailure } from '../shared/failures.ts'
import { throwUnlessCompleted } from '../shared/run/end.ts'
import { now } from '../shared/deterministic.ts'
import { nonCancellable } from '../shared/scopes.ts'
import { continueWithCurrentBuild } from '../shared/versioning.ts'
import { type AnnouncedPiece, type MeetingRunInput, audioSignal, endSignal } from './meeting-messages.ts'
import { escapeMarkdown } from '../shared/markdown.ts'
import { waitUntil } from '../shared/turns.ts'

const MAX_ATTEMPTS = 12

const buildPieceOptions = (seq: number, timeLimitMs: number): ActivityOptions => ({
  ...retryThroughOutages(MAX_ATTEMPTS),
  activityId: `piece-${seq}`,
  summary: `piece ${seq}`,
  startToCloseTimeout: timeLimitMs,
})

const concludeOptions: ActivityOptions = {
  ...retryThroughOutages(MAX_ATTEMPTS),
  summary: 'write the transcript',
  startToCloseTimeout: '1 minute',
}

const { record, finish, listPendingAudio, recordAudioFailure } = proxyLocalActivities<
  PathwayProjections & Pick<MeetingActivities, 'listPendingAudio' | 'recordAudioFailure'>
>(RECORD_OPTIONS)
const { concludeMeeting } = proxyActivities<MeetingActivities>(concludeOptions)

interface End extends Pick<FinishInput, 'outcome' | 'error'> {
  result?: MeetingResult
}

/**
 * Transcribes a meeting while it is in progress, with one activity per piece of audio. The pieces are in Postgres,
 * and a signal announces each one. The run ends on a signal, or after `idle_ms` without audio.
 */
export async function meeting(input: MeetingRunInput): Promise<MeetingResult> {
  const run = new MeetingRun(input)
  setHandler(audioSignal, piece => run.announce(piece))
  setHandler(endSignal, ({ by }) => run.endBy(by))
  const { job } = input
  await nonCancellable(() =>
    record({ job, status: 'running', seq: 1, current_step: 'transcribe', nodes: [], interventions: [] }),
  )
  const end = await settle(() => run.transcribeAll())
  await nonCancellable(() => run.waitForOpen())
  run.showDetails(end.outcome)
  const { outcome, error } = end
  const result = end.result as JsonValue | undefined
  await nonCancellable(() => finish({ job, outcome, error, result, seq: 2, at: now(), nodes: [], interventions: [] }))
  throwUnlessCompleted(end)
  return end.result as MeetingResult
}

async function settle(work: () => Promise<MeetingResult>): Promise<End> {
  try {
    return { outcome: 'completed', result: await work() }
  } catch (error) {
    if (isCancellation(error)) return { outcome: 'cancelled' }
    // The SDK implements continue-as-new by throwing ContinueAsNew.
    if (error instanceof ContinueAsNew) throw error
    return { outcome: 'failed', error: describeFailure(error).error }
  }
}

type Piece = Pick<AnnouncedPiece, 'seq' | 'sha256'>

/** Controls the run of one meeting. */
class MeetingRun {
  private readonly input: MeetingRunInput
  private readonly pending = new Map<string, Piece>()
  private readonly open = new Set<string>()
  private readonly progress: TranscriptionProgress = { transcribed: 0, failed: 0 }
  private endedBy: string | undefined
  private isBehind: boolean
  /** A cancellation, or an error that affects more than one piece. Ends the run. */
  private failure: { error: unknown } | undefined

  constructor(input: MeetingRunInput) {
    this.input = input
    this.endedBy = input.ended_by
    this.isBehind = input.is_behind ?? false
  }

  announce({ is_behind, ...piece }: AnnouncedPiece): void {
    this.isBehind ||= is_behind ?? false
    this.add(piece)
  }

  private add(piece: Piece): void {
    this.pending.set(`${piece.seq} ${piece.sha256}`, piece)
  }

  endBy(by: string): void {
    this.endedBy ??= by
  }

  /** Resolves when no activity is in progress. */
  waitForOpen(): Promise<void> {
    return waitUntil(() => this.open.size === 0)
  }

  showDetails(word: string): void {
    setCurrentDetails(renderDetails(this.input, this.progress, word))
  }

  async transcribeAll(): Promise<MeetingResult> {
    await this.fetchPending(false)
    while (this.endedBy === undefined) {
      this.startPending()
      if (workflowInfo().continueAsNewSuggested) await this.continueAsNew()
      if (this.mustCatchUp()) {
        await this.catchUp()
        continue
      }
      const isWoken = await waitUntil(() => this.isWoken(), this.input.idle_ms)
      if (!isWoken && this.open.size === 0) this.endBy(this.input.requester)
    }
    await this.drain()
    const { job, meeting_id } = this.input
    return concludeMeeting({ job, meeting_id, by: this.endedBy })
  }

  /** Returns whether the meeting has ended or a piece can start. Throws the run's failure. */
  private isWoken(): boolean {
    if (this.failure) throw this.failure.error
    return this.endedBy !== undefined || this.nextKey() !== undefined || this.mustCatchUp()
  }

  /** Returns whether all known pieces are transcribed, but other pieces may exist. */
  private mustCatchUp(): boolean {
    return this.isBehind && this.pending.size + this.open.size === 0
  }

  /** Fetches the pieces that no signal announced. More may arrive while these are transcribed. */
  private async catchUp(): Promise<void> {
    this.isBehind = false
    await this.fetchPending(false)
    this.isBehind ||= this.pending.size > 0
  }

  /** Stops accepting pieces for the meeting and transcribes the remaining ones. */
  private async drain(): Promise<void> {
    do {
      await this.finishOpen()
      if (workflowInfo().continueAsNewSuggested) await this.continueAsNew()
      await this.fetchPending(true)
    } while (this.pending.size > 0)
  }

  private async finishOpen(): Promise<void> {
    while (this.pending.size + this.open.size > 0) {
      this.startPending()
      const before = this.open.size
      await waitUntil(() => this.failure !== undefined || this.open.size < before)
      if (this.failure) throw this.failure.error
    }
  }

  /** Continues as new without the pending pieces. The next run fetches them. */
  private async continueAsNew(): Promise<void> {
    await waitUntil(() => this.open.size === 0)
    if (this.failure) throw this.failure.error
    await continueWithCurrentBuild<(input: MeetingRunInput) => Promise<MeetingResult>>({
      ...this.input,
      ended_by: this.endedBy,
    })
  }

  private async fetchPending(close: boolean): Promise<void> {
    const { job, meeting_id } = this.input
    for (const piece of await listPendingAudio({ job, meeting_id, close })) this.add(piece)
    this.showDetails(close ? 'ending' : 'in progress')
  }

  private startPending(): void {
    for (let key = this.nextKey(); key !== undefined; key = this.nextKey()) this.start(key)
  }

  /**
   * Returns the key of the next piece. If a piece is announced again while it is in progress, it stays in the queue,
   * because the attempt may have failed.
   */
  private nextKey(): string | undefined {
    if (this.open.size >= this.input.concurrency) return undefined
    return [...this.pending.keys()].find(key => !this.open.has(key))
  }

  private start(key: string): void {
    const piece = this.pending.get(key) as Piece
    this.pending.delete(key)
    this.open.add(key)
    void this.transcribe(piece)
      .catch((error: unknown) => (this.failure ??= { error }))
      .finally(() => this.open.delete(key))
  }

  /** Transcribes a piece. A failure is recorded for this piece and does not end the run. */
  private async transcribe(piece: Piece): Promise<void> {
    const { job, meeting_id, time_limit_ms } = this.input
    const { transcribeMeetingPiece } = proxyActivities<MeetingActivities>(buildPieceOptions(piece.seq, time_limit_ms))
    try {
      await transcribeMeetingPiece({ job, meeting_id, ...piece })
      this.progress.transcribed++
    } catch (error) {
      if (isCancellation(error)) throw error
      this.progress.failed++
      await recordAudioFailure({ job, meeting_id, ...piece, error: describeFailure(error).error })
    }
    this.showDetails(this.endedBy === undefined ? 'in progress' : 'ending')
  }
}

interface TranscriptionProgress {
  transcribed: number
  failed: number
}

/** Renders the run as Markdown for the Temporal UI. */
function renderDetails(
  { meeting_id, requester }: MeetingRunInput,
  { transcribed, failed }: TranscriptionProgress,
  word: string,
): string {
  return [
    `**${escapeMarkdown(word)}**`,
    '',
    '| meeting | |',
    '|---|---|',
    `| id | \`${meeting_id}\` |`,
    `| started by | ${escapeMarkdown(requester)} |`,
    `| pieces transcribed | ${transcribed} |`,
    ...(failed > 0 ? [`| pieces failed | ${failed} |`] : []),
  ].join('\n')
}
