import { findWorkspaceBySlug } from '../../../data/access/access-store.ts'
import { findChannel, noteEvent } from '../../../data/channels/channels-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import type { RateLimiter } from '../../../domain/access/rate-limiter.ts'
import { NotFound, RateLimited, ValidationError } from '../../../domain/shared/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/shared/json/json.ts'
import type { Encryption } from '../../shared/encryption/encryption.ts'
import { readHookBody } from '../../triggers/hooks/read-body.ts'
import type { HookRequest } from '../../triggers/hooks/receive.ts'
import { verifySignature } from '../../triggers/hooks/verify-signature.ts'
import { openChannel } from '../open-channel.ts'
import type { HandleSlackEvent, SlackEvent } from './events.ts'
import type { HandleSlackInteraction, SlackInteraction } from './interactions.ts'

/**
 * Receives a request from Slack. Returns the body of the response. Throws NotFound for an unknown channel, AuthRequired
 * for an invalid signature, RateLimited, and ValidationError for an unknown request.
 */
export type ReceiveFromSlack = (
  address: { workspace_slug: string; name: string },
  request: HookRequest,
) => Promise<JsonObject | undefined>

interface Deps {
  db: Database
  encryption: Encryption
  limiter: RateLimiter
  handleEvent: HandleSlackEvent
  handleInteraction: HandleSlackInteraction
}

/** Slack recommends to refuse requests that are older than five minutes, because they can be replays. */
const TOLERANCE_SECONDS = 300
const REQUESTS_PER_MINUTE = 600

export function createReceiveFromSlack(deps: Deps): ReceiveFromSlack {
  const { db, encryption, limiter, handleEvent, handleInteraction } = deps

  /** Counts a verified request, so that nobody else can use up the channel's limit. */
  async function countRequest(channelId: string): Promise<void> {
    const { isExceeded, msToReset } = await limiter.count(`channel:${channelId}`, REQUESTS_PER_MINUTE)
    if (isExceeded)
      throw new RateLimited(`More than ${REQUESTS_PER_MINUTE} requests per minute`, Math.ceil(msToReset / 1_000))
  }

  return async ({ workspace_slug, name }, request) => {
    const workspace = await db.system(tx => findWorkspaceBySlug(tx, workspace_slug))
    const stored = workspace && (await db.inWorkspace(workspace.id, tx => findChannel(tx, name)))
    if (!stored) throw new NotFound('Channel')
    const channel = openChannel(stored, encryption)
    if (channel.type !== 'slack') throw new NotFound('Channel')
    const settings = { scheme: 'slack', tolerance_seconds: TOLERANCE_SECONDS } as const
    verifySignature(request, settings, { secrets: [channel.credentials.signing_secret], now: new Date() })
    await countRequest(channel.id)
    const { body } = readHookBody(request, 'payload')
    if (isJsonObject(body) && body['type'] === 'url_verification') return { challenge: body['challenge'] ?? '' }
    checkTeam(channel.settings.team_id, body)
    await db.inWorkspace(workspace.id, tx => noteEvent(tx, channel.id))
    if (isEvent(body)) {
      await handleEvent(workspace, channel, body)
      return undefined
    }
    if (isInteraction(body)) return handleInteraction(workspace, channel, body)
    throw new ValidationError('The request is neither an event nor an interaction')
  }
}

/** Throws ValidationError for a request of another Slack workspace in which the app is installed. */
function checkTeam(teamId: string, body: JsonValue): void {
  const { team_id, team } = isJsonObject(body) ? body : {}
  const from = typeof team_id === 'string' ? team_id : isJsonObject(team) ? team['id'] : undefined
  if (from !== teamId) throw new ValidationError('The request is from another Slack workspace than the channel')
}

/** Slack has signed the request, so that its type implies its fields. */
const isEvent = (body: JsonValue): body is JsonValue & SlackEvent & JsonObject =>
  isJsonObject(body) && body['type'] === 'event_callback' && isJsonObject(body['event'] ?? null)

const isInteraction = (body: JsonValue): body is JsonValue & SlackInteraction & JsonObject =>
  isJsonObject(body) && (body['type'] === 'block_actions' || body['type'] === 'view_submission')
