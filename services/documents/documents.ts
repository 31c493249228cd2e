import type { Config } from '../../config/config.ts'
import type { Database } from '../../data/database.ts'
import type { Principal } from '../../domain/principal.ts'
import type { AssetDocument } from '../../domain/resources/kinds/assets.ts'
import type { Launcher } from '../jobs/launch.ts'
import { atTopLevel } from '../resources/at-top-level.ts'
import type { ResourcesService, ResourceView } from '../resources/types.ts'
import { createDownload } from './download.ts'
import { extractionsOf } from './extractions.ts'
import { createIngest } from './ingest.ts'
import type { AssetView, DocumentsService, Extraction } from './types.ts'
import { artifactView, assetView } from './views.ts'

interface Deps {
  db: Database
  resources: ResourcesService
  launcher: Launcher
  config: Pick<Config, 'IDEMPOTENCY_HOURS' | 'DOCUMENT_MAX_BYTES' | 'DOCUMENT_ATTEMPT_SECONDS'>
}

/** The document lane: the spine's assets and artifacts in their own shapes, taking documents in, and their contents. */
export function createDocuments({ db, resources, launcher, config }: Deps): DocumentsService {
  async function withExtractions(who: Principal, assets: ResourceView[]): Promise<AssetView[]> {
    const held = assets.map(({ id, document }) => ({ ...(document as AssetDocument), id }))
    const extractions = await db.inWorkspace(who.workspace_id, tx => extractionsOf(tx, held))
    return assets.map((asset, i) => assetView(asset, extractions[i] as Extraction))
  }

  const withExtraction = async (who: Principal, asset: ResourceView) =>
    (await withExtractions(who, [asset]))[0] as AssetView

  return {
    ingest: createIngest({
      db,
      launcher,
      idempotencyHours: config.IDEMPOTENCY_HOURS,
      maxBytes: config.DOCUMENT_MAX_BYTES,
      attemptMs: config.DOCUMENT_ATTEMPT_SECONDS * 1_000,
    }),
    content: createDownload({ db, resources }),

    async assets(who, filter) {
      const { data, total } = await resources.list(who, 'assets', filter)
      return { data: await withExtractions(who, data), total }
    },
    asset: async (who, idOrSlug, version) =>
      withExtraction(who, await resources.read(who, 'assets', idOrSlug, version)),
    restoreAsset: async (who, idOrSlug) => withExtraction(who, await resources.restore(who, 'assets', idOrSlug)),

    async artifacts(who, filter) {
      const { data, total } = await resources.list(who, 'artifacts', filter)
      return { data: data.map(artifactView), total }
    },
    artifact: async (who, idOrSlug, version) => artifactView(await resources.read(who, 'artifacts', idOrSlug, version)),
    async createArtifact(who, { content, media_type, description, metadata, ...head }, idempotency) {
      const document = { content, media_type, description, metadata }
      const creating = resources.create(who, 'artifacts', { ...head, document }, idempotency)
      return artifactView(await creating.catch(atTopLevel))
    },
    patchArtifact: async (who, idOrSlug, envelope) =>
      artifactView(await resources.patch(who, 'artifacts', idOrSlug, envelope)),
    restoreArtifact: async (who, idOrSlug) => artifactView(await resources.restore(who, 'artifacts', idOrSlug)),
  }
}
