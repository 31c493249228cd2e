import type { Database } from '../../data/shared/database.ts'
import { Conflict } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { inContext } from '../access/brains.ts'
import { throughGateway } from '../access/gateways.ts'
import { checkWorkspace } from '../access/workspaces.ts'
import { createProduct, type ProductService } from '../resources/product.ts'
import type { Idempotency } from '../shared/idempotency.ts'
import type { RunAccepted } from '../../contract/agents/conversation.ts'
import { getHead } from '../resources/finding.ts'
import type { ResourcesService } from '../resources/resources.ts'
import type { ConversationTarget, Conversations, MessageInput } from './conversations/conversations.ts'

export interface ReceptorsService extends ProductService {
  /**
   * Sends a message to the receptor's target. Throws Forbidden for another workspace, NotFound for an unknown
   * receptor, and Conflict for an inactive receptor.
   */
  invoke(
    principal: Principal,
    address: { workspace_slug: string; slug_or_id: string },
    speech: MessageInput,
    idempotency?: Idempotency,
  ): Promise<RunAccepted>
  /**
   * Returns a receptor's current target and the principal for runs of this target. Throws NotFound, and Conflict if
   * the receptor is inactive.
   */
  open(principal: Principal, slugOrId: string): Promise<OpenedReceptor>
}

/** A receptor that is ready to accept messages. */
export interface OpenedReceptor {
  receptor_id: string
  target: ConversationTarget
  /** The caller with the permissions of the receptor's author. */
  principal: Principal
}

interface Deps {
  db: Database
  resources: ResourcesService
  conversations: Conversations
}

/** Creates the receptors service. Receptors are stable addresses for neurons and pathways. */
export function createReceptors({ db, resources, conversations }: Deps): ReceptorsService {
  const open: ReceptorsService['open'] = (caller, slugOrId) =>
    db.inWorkspace(caller.workspace_id, async tx => {
      const head = await getHead(tx, caller, { kind: 'receptors', idOrSlug: slugOrId })
      if (!head.is_active) throw new Conflict(`The receptor "${head.slug}" is inactive`)
      const { target } = head.document as { target: ConversationTarget }
      return { receptor_id: head.id, target, principal: await throughGateway(tx, caller, head) }
    })

  return {
    ...createProduct(resources, 'receptors'),
    open,
    async invoke(caller, { workspace_slug, slug_or_id }, speech, idempotency) {
      checkWorkspace(caller, workspace_slug)
      const { receptor_id, target, principal } = await open(inContext(caller), slug_or_id)
      return conversations.sendMessage(principal, target, { ...speech, receptor_id }, idempotency)
    },
  }
}
