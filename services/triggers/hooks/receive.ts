import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Database } from '../../../data/shared/database.ts'
import { findFiringByKey, insertFiring } from '../../../data/triggers/trigger-firings-store.ts'
import { AppError, Conflict, RateLimited, RunFailed, ValidationError } from '../../../domain/shared/errors.ts'
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

/** A request to a hook, before it is checked. */
export interface HookRequest {
  /** Lower-case names. A header that was sent several times has its values joined with a comma. */
  headers: Record<string, string | undefined>
  query: Record<string, string | string[]>
  /** After inflation. */
  body: Buffer
}

/** What the sender of a request is told. */
export type HookReply =
  /** The response to a challenge of the sender. */
  | { type: 'answer'; body: JsonValue }
  /** A run was started, by this request or by an earlier copy of it. */
  | { type: 'accepted'; job_id: string; firing_id: string; decision: FiringDecision; status: string }
  /** The run has completed, for a hook that waits for it. */
  | { type: 'completed'; job_id: string; firing_id: string; result: JsonValue }
  /** Nothing was started, as the trigger wants it. */
  | { type: 'ignored'; firing_id: string; decision: FiringDecision }

interface Deps {
  db: Database
  findHook: FindHook
  fire: FireTrigger
  waitForResult: WaitForResult
  limiter: RateLimiter
  evaluator: Evaluator
}

/** Decisions that the sender can have taken again, by a repeat of the same delivery. */
const REPEATABLE = new Set<FiringDecision>(['paused', 'limited', 'target_missing', 'refused'])
const MAX_REPEATS = 20
/** What a sender is told to wait when a limit of the trigger is reached. */
const RETRY_SECONDS = 60
/** Deliveries that are decided at a time. Those of one trigger wait for each other, and would hold connections. */
const MAX_FIRINGS = 4
const MAX_WAIT_MS = 30_000
/** Refused requests of a trigger that are noted in a minute. */
const MAX_NOTED_REFUSALS = 5

export function createReceive({ db, findHook, fire, waitForResult, limiter, evaluator }: Deps): Hooks['receive'] {
  const firings = createSlots(MAX_FIRINGS, MAX_WAIT_MS)

  async function countRequest({ triggerId, settings: { requests_per_minute: limit } }: Hook): Promise<void> {
    const { isExceeded, msToReset } = await limiter.count(`hook:${triggerId}`, limit)
    if (isExceeded)
      throw new RateLimited(`More than ${limit} requests to the hook in a minute`, Math.ceil(msToReset / 1_000))
  }

  /**
   * Returns the key under which a delivery is decided. All copies have the same one, until a decision has been stored that a
   * repeat may change.
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

  /** Fires, and returns the firing; of a copy that has no run, the firing whose copy it is. */
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
      if (error instanceof RunFailed) throw new AppError(error.code, error.status, `The run ${job_id} failed`)
      throw error
    })
    if (status === 'completed') return { type: 'completed', job_id, firing_id, result }
    return { type: 'accepted', job_id, firing_id, decision: firing.decision, status }
  }

  /** Returns the key of the trigger's own rule. Undefined where it has none, or gives no value. */
  async function findValueKey({ workspaceId, settings }: Hook, body: JsonValue): Promise<string | undefined> {
    if (settings.dedupe_by === undefined) return undefined
    const evaluated = await evaluator.evaluate(workspaceId, 'evaluateDedupe', settings.dedupe_by, body)
    if ('problem' in evaluated) throw new ValidationError(evaluated.problem)
    return evaluated.value === undefined ? undefined : buildValueKey(evaluated.value)
  }

  /** Checks a request before anything is decided. */
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

  /** Notes a refused request for the people of the trigger: without its content, and not more often than the limit. */
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
      if (error instanceof AppError && error.status < 500) await noteRefusal(hook, error.message)
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

/** The firing is stored in any case, with the reason. It may name nodes, hosts and people, so the sender gets none. */
function throwIfRefused({ id, decision }: Firing): void {
  const named = `; the firing is ${id}`
  if (decision === 'failed_mapping') throw new ValidationError(`The request does not fit the trigger${named}`)
  if (decision === 'limited') throw new RateLimited(`A limit of the trigger is reached${named}`, RETRY_SECONDS)
  if (decision === 'paused') throw new Conflict(`The trigger is paused${named}`)
  if (decision === 'target_missing' || decision === 'refused')
    throw new Conflict(`The target of the trigger cannot be started${named}`)
}
