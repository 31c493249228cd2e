import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Database } from '../../../data/shared/database.ts'
import { findFiringByKey, insertFiring } from '../../../data/triggers/trigger-firings-store.ts'
import {
  AppError,
  Conflict,
  isRefusal,
  RateLimited,
  RunFailed,
  ValidationError,
} from '../../../domain/shared/errors.ts'
import type { JsonObject, JsonValue } from '../../../domain/shared/json/json.ts'
import type { RateLimiter } from '../../../domain/access/rate-limiter.ts'
import { createSlots } from '../../../domain/shared/fairness/slots.ts'
import type { FiringDecision } from '../../../domain/triggers/firing.ts'
import type { Firing } from '../../../data/triggers/trigger-firings-store.ts'
import type { WaitForResult } from '../../runs/wait-for-result.ts'
import type { Evaluator } from '../../pathways/evaluation/evaluator.ts'
import type { FireTrigger } from '../fire.ts'
import { buildHookEvent } from './build-event.ts'
import type { FindHook, Hook } from './find-hook.ts'
import { readHookBody } from './read-body.ts'
import { findScheme } from './schemes/index.ts'
import { findDeliveryKey, buildValueKey, verifySignature } from './verify-signature.ts'
import type { Hooks } from './hooks.ts'

/** A hook request before validation. */
export interface HookRequest {
  /** Header names are in lowercase. The values of repeated headers are joined with commas. */
  headers: Record<string, string | undefined>
  query: Record<string, string | string[]>
  /** After decompression. */
  body: Buffer
}

/** The response to a request's sender. */
export type HookReply =
  /** The response to a sender's challenge. */
  | { type: 'answer'; body: JsonValue }
  /** This request or an earlier copy has started a run. */
  | { type: 'accepted'; job_id: string; firing_id: string; decision: FiringDecision; status: string }
  /** The run has completed. Used for a hook that waits for its run. */
  | { type: 'completed'; job_id: string; firing_id: string; result: JsonValue }
  /** No run was started, because of the trigger's configuration. */
  | { type: 'ignored'; firing_id: string; decision: FiringDecision }

interface Deps {
  db: Database
  findHook: FindHook
  fire: FireTrigger
  waitForResult: WaitForResult
  limiter: RateLimiter
  evaluator: Evaluator
}

/** Decisions that may change if the sender repeats the same delivery. */
const REPEATABLE = new Set<FiringDecision>(['paused', 'limited', 'target_missing', 'refused'])
const MAX_REPEATS = 20
/** Retry delay that is sent when a trigger limit is reached. */
const RETRY_SECONDS = 60
/**
 * Maximum number of concurrent deliveries. Deliveries for the same trigger wait for each other and would otherwise
 * occupy connections.
 */
const MAX_FIRINGS = 4
const MAX_WAIT_MS = 30_000
/** Maximum number of rejected requests that are recorded per trigger and minute. */
const MAX_NOTED_REFUSALS = 5

export function createReceive({ db, findHook, fire, waitForResult, limiter, evaluator }: Deps): Hooks['receive'] {
  const firings = createSlots(MAX_FIRINGS, MAX_WAIT_MS)

  async function countRequest({ triggerId, settings: { requests_per_minute: limit } }: Hook): Promise<void> {
    const { isExceeded, msToReset } = await limiter.count(`hook:${triggerId}`, limit)
    if (isExceeded)
      throw new RateLimited(`More than ${limit} requests per minute to the hook`, Math.ceil(msToReset / 1_000))
  }

  /**
   * Returns the key used to decide about a delivery. All copies have the same key until a stored decision allows a
   * retry.
   */
  const findKey = ({ workspaceId, triggerId }: Hook, deliveryKey: string): Promise<string> =>
    db.inWorkspace(workspaceId, async tx => {
      const first = `delivery:${deliveryKey}`
      let key = first
      for (let repeat = 2; repeat <= MAX_REPEATS; repeat++) {
        const earlier = await findFiringByKey(tx, triggerId, key)
        if (!earlier || !REPEATABLE.has(earlier.decision)) break
        key = `${first}#${repeat}`
      }
      return key
    })

  /** Fires the trigger and returns the firing. For a copy that started no run, returns the original firing. */
  async function decide(hook: Hook, deliveryKey: string, event: JsonObject): Promise<Firing> {
    const { workspaceId, triggerId, people } = hook
    const dedupeKey = await findKey(hook, deliveryKey)
    const firing = await fire({ workspaceId, triggerId, event, dedupeKey, people, logDuplicates: true })
    if (firing.decision !== 'duplicate' || firing.job_id !== null) return firing
    return (await db.inWorkspace(workspaceId, tx => findFiringByKey(tx, triggerId, dedupeKey))) ?? firing
  }

  async function waitFor({ principal, settings }: Hook, firing: StartedFiring): Promise<HookReply> {
    const signal = AbortSignal.timeout(settings.wait_seconds * 1_000)
    const { job_id, id: firing_id } = firing
    const { status, result } = await waitForResult(principal, job_id, signal).catch((error: unknown) => {
      if (error instanceof RunFailed) throw new AppError(error.code, `The run ${job_id} failed`)
      throw error
    })
    if (status === 'completed') return { type: 'completed', job_id, firing_id, result }
    return { type: 'accepted', job_id, firing_id, decision: firing.decision, status }
  }

  /**
   * Returns the key from the trigger's deduplication rule. Returns undefined if there is no rule or the rule yields
   * no value.
   */
  async function findValueKey({ workspaceId, settings }: Hook, body: JsonValue): Promise<string | undefined> {
    if (settings.dedupe_by === undefined) return undefined
    const evaluated = await evaluator.evaluate(workspaceId, 'evaluateDedupe', settings.dedupe_by, body)
    if ('problem' in evaluated) throw new ValidationError(evaluated.problem)
    return evaluated.value === undefined ? undefined : buildValueKey(evaluated.value)
  }

  /** Validates a request before any decision. */
  async function accept(hook: Hook, request: HookRequest) {
    const { signature } = hook.settings
    const scheme = findScheme(signature)
    const verified = verifySignature(request, signature, { secrets: hook.secrets, now: new Date() })
    await countRequest(hook)
    const read = readHookBody(request, scheme.jsonField)
    const answer = scheme.answer?.(read.body)
    const deliveryId = findDeliveryKey(request, signature, { ...verified, body: read.body })
    const valueKey = answer === undefined ? await findValueKey(hook, read.body) : undefined
    return { read, answer, deliveryId, deliveryKey: valueKey ?? deliveryId }
  }

  /**
   * Records a rejected request for the trigger's owners. The record omits the request's content and is limited in
   * frequency.
   */
  async function noteRefusal({ workspaceId, triggerId, triggerVersion, brainId }: Hook, reason: string): Promise<void> {
    const { isExceeded } = await limiter.count(`hook-refusals:${triggerId}`, MAX_NOTED_REFUSALS)
    if (isExceeded) return
    const id = randomUUIDv7()
    await db.inWorkspace(workspaceId, tx =>
      insertFiring(tx, {
        id,
        brain_id: brainId,
        trigger_id: triggerId,
        trigger_version: triggerVersion,
        source: 'webhook',
        decision: 'refused',
        reason,
        job_id: null,
        dedupe_key: `refused:${id}`,
        duplicate_of: null,
        depth: 0,
        fired_by: null,
        event: null,
        input: null,
        workflow_id: null,
        people: [],
      }),
    )
  }

  return async (token, request) => {
    const hook = await findHook(token)
    const { workspaceId, settings } = hook
    const { read, answer, deliveryId, deliveryKey } = await accept(hook, request).catch(async (error: unknown) => {
      if (isRefusal(error)) await noteRefusal(hook, error.message)
      throw error
    })
    if (answer !== undefined) return { type: 'answer', body: answer }
    const event = buildHookEvent(request, { ...read, deliveryId }, settings.signature)
    const firing = await firings.use(workspaceId, () => decide(hook, deliveryKey ?? randomUUID(), event))
    throwIfRefused(firing)
    if (!isStarted(firing)) return createIgnoredReply(firing)
    if (settings.respond === 'sync') return waitFor(hook, firing)
    const { job_id, id: firing_id, decision } = firing
    return { type: 'accepted', job_id, firing_id, decision, status: 'pending' }
  }
}

type StartedFiring = Firing & { job_id: string }

const isStarted = (firing: Firing): firing is StartedFiring => firing.job_id !== null

const createIgnoredReply = ({ id: firing_id, decision }: Firing): HookReply => ({
  type: 'ignored',
  firing_id,
  decision,
})

/**
 * The firing is always stored with its reason. The reason may name nodes, hosts and people, so it is not sent to the
 * sender.
 */
function throwIfRefused({ id, decision }: Firing): void {
  const named = `; the firing is ${id}`
  if (decision === 'failed_mapping') throw new ValidationError(`The request does not match the trigger${named}`)
  if (decision === 'limited') throw new RateLimited(`A trigger limit is reached${named}`, RETRY_SECONDS)
  if (decision === 'paused') throw new Conflict(`The trigger is paused${named}`)
  if (decision === 'target_missing' || decision === 'refused')
    throw new Conflict(`The trigger's target cannot be started${named}`)
}
