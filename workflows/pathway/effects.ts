import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  sleep,
} from '@temporalio/workflow'
import type {
  NeuronProjections,
  OpenNeuronInput,
  PathwayActivities,
  PathwayProjections,
  StepInput,
} from '../../activities/types.ts'
import { durationMs } from '../../domain/durations.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { Command, EngineEvent } from '../../domain/pathway/engine/commands.ts'
import { recordOptions } from '../record-options.ts'
import { TIMEOUT } from '../failures.ts'
import { failureEvent } from './failures.ts'
import type { NeuronResult } from '../neuron/messages.ts'
import { type ChildHandle, type ChildRun, deeper, startChildRun } from '../run/children.ts'
import { pauseSignal, resumeSignal } from '../run/messages.ts'
import { visitId } from '../run/visit-id.ts'
import type { PathwayRunInput } from './messages.ts'
import { activityOptions, localOptions } from './options.ts'

type Carrying = Pick<StepInput, 'trail' | 'news'>
type Of<T extends Command['type']> = Extract<Command, { type: T }>

export interface EffectsDeps {
  input: PathwayRunInput
  deliver(event: EngineEvent): void
  isStopping(key: string): boolean
  /** Untold news, for an activity to take along. */
  takeAlong(): Carrying
}

const { openChild } = proxyLocalActivities<PathwayProjections>(recordOptions)
const { openNeuron } = proxyLocalActivities<NeuronProjections>(recordOptions)

const now = (): string => new Date().toISOString()

/** Carries the engine's commands out, each in a cancellation scope of its own, and delivers how it went. */
export class Effects {
  private readonly deps: EffectsDeps
  private readonly scopes = new Map<string, CancellationScope>()
  private readonly children = new Map<string, ChildHandle>()
  /** Activities and children in flight: continue-as-new waits until there are none. */
  inFlight = 0

  constructor(deps: EffectsDeps) {
    this.deps = deps
  }

  run(command: Of<'run'>): void {
    const { node, key } = command
    const step = this.stepInput(command)
    const isLocal = node.type === 'http' && node.idempotent === true
    const activities = isLocal
      ? proxyLocalActivities<PathwayActivities>(localOptions(node, key))
      : proxyActivities<PathwayActivities>(activityOptions(node, key))
    this.start(key, async () => {
      const { output } = await activities[node.type](step)
      return { type: 'completed', key, at: now(), output }
    })
  }

  undo(command: Of<'undo'>): void {
    const { node, key } = command
    const step = { ...this.stepInput(command), compensating: true }
    const activities = proxyActivities<PathwayActivities>(activityOptions(node, `undo: ${key}`))
    this.start(
      key,
      async () => {
        await activities[node.type](step)
        return { type: 'undone', key, at: now() }
      },
      failure => ({
        type: 'undone',
        key,
        at: now(),
        error: 'error' in failure ? failure.error : { code: 'CANCELLED', message: 'stopped' },
      }),
    )
  }

  child(command: Of<'child'>): void {
    const { key } = command
    this.start(key, async () => {
      const result = await within(command.node, key, () => this.runChild(command))
      return { type: 'completed', key, at: now(), output: result }
    })
  }

  /** A timer; what it means when it has run down is the caller's. */
  timer(key: string, at: string, summary: string, then: EngineEvent): void {
    const scope = this.open(key)
    scope
      .run(() => sleep(Math.max(1, Date.parse(at) - Date.now()), { summary }))
      .then(() => this.close(key, then))
      .catch((error: unknown) => {
        if (!isCancellation(error)) throw error
        this.close(key, { type: 'settled', key, at: now(), outcome: 'stopped' })
      })
  }

  /** Stops what runs under a key. False when nothing does. */
  cancel(key: string): boolean {
    const scope = this.scopes.get(key)
    scope?.cancel()
    return scope !== undefined
  }

  /** Forgets a timer without news of it. */
  drop(key: string): void {
    const scope = this.scopes.get(key)
    this.scopes.delete(key)
    scope?.cancel()
  }

  get hasChildren(): boolean {
    return this.children.size > 0
  }

  async pauseChildren(by: string, paused: boolean): Promise<void> {
    const signal = paused ? pauseSignal : resumeSignal
    await Promise.allSettled([...this.children.values()].map(child => child.signal(signal, { by })))
  }

  private start(
    key: string,
    work: () => Promise<EngineEvent>,
    onFailure = (event: EngineEvent): EngineEvent => event,
  ): void {
    const scope = this.open(key)
    this.inFlight++
    void scope
      .run(work)
      .catch((error: unknown) => onFailure(failureEvent(key, error, this.deps.isStopping(key))))
      .then(event => {
        this.inFlight--
        this.close(key, event)
      })
  }

  private open(key: string): CancellationScope {
    const scope = new CancellationScope()
    this.scopes.set(key, scope)
    return scope
  }

  private close(key: string, event: EngineEvent): void {
    if (!this.scopes.delete(key)) return
    this.deps.deliver(event)
  }

  private stepInput({ key, node, with: values }: Of<'run'> | Of<'undo'>): StepInput {
    const title = node.title?.includes('${') ? undefined : node.title
    return {
      job: this.deps.input.job,
      node: { key, id: node.id, type: node.type, title },
      with: values,
      ...this.deps.takeAlong(),
    }
  }

  private async runChild(command: Of<'child'>): Promise<JsonValue> {
    const { key } = command
    const handle = await startChildRun(await this.openRun(command), key)
    this.children.set(key, handle)
    try {
      const result: unknown = await handle.result()
      return command.node.type === 'neuron' ? outputOf(result as NeuronResult) : (result as JsonValue)
    } finally {
      this.children.delete(key)
    }
  }

  /** Writes the child's row, and gives what it goes by. */
  private async openRun({ key, node, input }: Of<'child'>): Promise<ChildRun> {
    const { job, subflows, neurons, requester } = this.deps.input
    const pinned =
      node.ref === undefined ? undefined : node.type === 'neuron' ? neurons?.[node.ref] : subflows[node.ref]
    if (!pinned) throw new Error(`${node.ref} was not pinned`)
    const childJob = { ...job, job_id: `${pinned.slug}-${visitId(key)}`, ...deeper(job) }
    if (!('definition' in pinned)) {
      const given = { job: childJob, parent_key: key, neuron: pinned, requester, ...(input as NeuronInput) }
      return { type: 'neuron', run: await openNeuron(given) }
    }
    const pathway = { id: pinned.id, slug: pinned.slug, version: pinned.version, title: pinned.title }
    const { definition } = pinned
    await openChild({ job: childJob, parent_key: key, pathway, requester, input, schema: definition.input })
    const run = { job: childJob, parent_key: key, pathway, definition, subflows, neurons, input, requester }
    return { type: 'pathway', run }
  }
}

type NeuronInput = Pick<OpenNeuronInput, 'message' | 'variables'>

/** What a `neuron` node gives to the nodes after it. */
function outputOf({ output, data, usage, trace_id }: NeuronResult): JsonValue {
  return { text: output, ...(data !== undefined && { data }), usage: { ...usage }, trace_id }
}

/** Bounds a child run by its node's `timeout`: out of time it is cancelled, so it undoes what it did. */
async function within<T>({ timeout }: { timeout?: string }, key: string, work: () => Promise<T>): Promise<T> {
  const ms = timeout && durationMs(timeout)
  if (!ms) return work()
  const scope = new CancellationScope()
  const clock = new CancellationScope()
  let isLate = false
  const watch = clock.run(async () => {
    await sleep(ms, { summary: `time limit: ${key}` })
    isLate = true
    scope.cancel()
  })
  try {
    return await scope.run(work)
  } catch (error) {
    throw isLate ? ApplicationFailure.nonRetryable('its time ran out', TIMEOUT) : error
  } finally {
    clock.cancel()
    await watch.catch(() => undefined)
  }
}
