import type { Database } from '../../data/database.ts'
import { Conflict } from '../../domain/errors.ts'
import type { Principal } from '../../domain/principal.ts'
import { inContext } from '../access/brains.ts'
import { checkWorkspace } from '../access/workspaces.ts'
import type { AcceptedMessage, ConversationTarget, Conversations, MessageInput } from '../conversations/types.ts'
import type { Idempotency } from '../jobs/types.ts'
import { createProduct } from '../products/product.ts'
import type { ProductService } from '../products/types.ts'
import { getHeadOrThrow } from '../resources/finding.ts'
import type { ResourcesService } from '../resources/types.ts'

export interface ReceptorsService extends ProductService {
  /**
   * Sends a message to the receptor's target. Throws Forbidden for another workspace, NotFound for an unknown receptor,
   * Conflict for an inactive one.
   */
  invoke(
    principal: Principal,
    address: { workspace_slug: string; slug_or_id: string },
    speech: MessageInput,
    idempotency?: Idempotency,
  ): Promise<AcceptedMessage>
  /** Returns the current target of a receptor. Throws NotFound, and Conflict when the receptor is inactive. */
  target(principal: Principal, slugOrId: string): Promise<{ receptor_id: string; target: ConversationTarget }>
}

interface Deps {
  db: Database
  resources: ResourcesService
  conversations: Conversations
}

/** Creates the service of receptors, which are stable addresses of neurons and pathways. */
export function createReceptors({ db, resources, conversations }: Deps): ReceptorsService {
  const target: ReceptorsService['target'] = async (principal, slugOrId) => {
    const head = await db.inWorkspace(principal.workspace_id, tx =>
      getHeadOrThrow(tx, principal, { kind: 'receptors', idOrSlug: slugOrId }),
    )
    if (!head.is_active) throw new Conflict(`The receptor "${head.slug}" is switched off`)
    return { receptor_id: head.id, target: (head.document as { target: ConversationTarget }).target }
  }

  return {
    ...createProduct(resources, 'receptors'),
    target,
    async invoke(principal, { workspace_slug, slug_or_id }, speech, idempotency) {
      checkWorkspace(principal, workspace_slug)
      const { receptor_id, target: leadsTo } = await target(inContext(principal), slug_or_id)
      return conversations.sendMessage(principal, leadsTo, { ...speech, receptor_id }, idempotency)
    },
  }
}
