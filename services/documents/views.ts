import type { ArtifactDocument } from '../../domain/resources/kinds/artifacts.ts'
import type { AssetDocument } from '../../domain/resources/kinds/assets.ts'
import type { ResourceView } from '../../contract/resources/resource.ts'
import type { ArtifactView } from '../../contract/documents/artifact.ts'
import type { AssetView, Extraction } from '../../contract/documents/asset.ts'

export function presentAsset(resource: ResourceView, extraction: Extraction): AssetView {
  const { charset, file_name, source_key } = resource.document as AssetDocument
  return { ...presentDocument(resource), charset, file_name, source_key, extraction }
}

export const presentArtifact = (resource: ResourceView): ArtifactView => presentDocument(resource)

function presentDocument({ document, ...head }: ResourceView): ArtifactView {
  const { description, media_type, size, sha256, metadata } = document as AssetDocument | ArtifactDocument
  return { ...head, description, media_type, size, sha256, metadata }
}
