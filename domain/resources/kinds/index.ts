import type { KindDefinition } from '../kind.ts'
import { artifacts } from './artifacts.ts'
import { assets } from './assets.ts'
import { meetings } from './meetings.ts'
import { neurons } from './neurons.ts'
import { pathways } from './pathways.ts'
import { recollections } from './recollections.ts'
import { receptors } from './receptors.ts'
import { reflexes } from './reflexes.ts'
import { skills } from './skills.ts'
import { stakeholderMaps } from './stakeholder-maps.ts'
import { triggers } from './triggers.ts'

const KINDS = [
  neurons,
  pathways,
  receptors,
  reflexes,
  skills,
  triggers,
  meetings,
  stakeholderMaps,
  assets,
  artifacts,
  recollections,
] as const

export type ResourceKind = (typeof KINDS)[number]['kind']

/** Kinds in display order. They are also the search facets and the roots of browsing. */
export const RESOURCE_KINDS: readonly ResourceKind[] = KINDS.filter(kind => !kind.isHidden).map(({ kind }) => kind)

/** Kinds shown only if they are requested by name. */
export const HIDDEN_KINDS: readonly ResourceKind[] = KINDS.filter(kind => kind.isHidden).map(({ kind }) => kind)

/** Kinds that the tree's `document` profile includes. */
export const DOCUMENT_KINDS: readonly ResourceKind[] = KINDS.filter(kind => kind.isDocument).map(({ kind }) => kind)

/** Kinds whose versions are searchable. */
export const VERSIONED_KINDS: readonly ResourceKind[] = KINDS.filter(kind => kind.hasSearchableVersions).map(
  ({ kind }) => kind,
)

const byName = new Map<string, KindDefinition<ResourceKind>>(
  KINDS.flatMap(kind => [
    [kind.kind, kind],
    [kind.singular, kind],
  ]),
)

/** Plural and singular names of all kinds. */
export const KIND_NAMES: readonly string[] = [...byName.keys()]

/** Finds a kind by its plural or singular name. */
export const findResourceKind = (name: string): KindDefinition<ResourceKind> | undefined => byName.get(name)

export function getResourceKind(kind: ResourceKind): KindDefinition<ResourceKind> {
  const definition = byName.get(kind)
  if (!definition) throw new Error(`no kind ${kind}`)
  return definition
}
