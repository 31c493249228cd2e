import type { Database } from '../../../data/shared/database.ts'
import { Forbidden, NotFound } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { canReadBrain } from '../../access/brains.ts'
import { assembleEvidence } from './assemble.ts'
import type { EvidenceKey, Evidence } from '../../../contract/people/evidence.ts'
import type { Signer } from './signer.ts'

export interface EvidenceService {
  /** Throws NotFound. Throws Forbidden for a removed run's evidence if the caller may not read the audit log. */
  read(principal: Principal, interventionId: string): Promise<Evidence>
  listKeys(): Promise<EvidenceKey[]>
}

export function createEvidence({ db, signer }: { db: Database; signer: Signer }): EvidenceService {
  return {
    listKeys: async () => signer.listKeys(),
    read: async (principal, id) => {
      const { workspace_id, workspace_slug: slug } = principal
      const assembled = await db.inWorkspace(workspace_id, tx => assembleEvidence(tx, { id: workspace_id, slug }, id))
      if (!assembled || !canReadBrain(principal, assembled.brain_id)) throw new NotFound('Intervention')
      if (assembled.is_purged && !principal.permissions.has('activity:read'))
        throw new Forbidden('The run was removed. Its evidence requires the permission "activity:read"')
      const { shown: shownContent, texts } = assembled
      const document = { ...assembled.document, is_signed: signer.keyId !== undefined, key_id: signer.keyId ?? null }
      return { document, shown: shownContent, texts, signature: signer.sign(document) }
    },
  }
}
