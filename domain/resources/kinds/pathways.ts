import { z } from 'zod'
import type { PathwayDefinition, PathwayNode } from '../../pathways/definition.ts'
import { listNodes } from '../../pathways/list-nodes.ts'
import { validateDefinition } from '../../pathways/validate.ts'
import { description } from '../fields.ts'
import { defineKind, joinParagraphs } from '../kind.ts'

const document = z.strictObject({
  description,
  /** Validated as a whole by `validateDefinition`. */
  definition: z.custom<PathwayDefinition>(value => value !== undefined, 'is required'),
})

export const pathways = defineKind({
  kind: 'pathways',
  singular: 'pathway',
  document,
  problems({ definition }) {
    const checked = validateDefinition(definition, { at: '/definition' })
    return checked.ok ? [] : checked.problems
  },
  text: ({ description, definition }) => joinParagraphs(description, ...listNodes(definition).map(nodeText)),
})

function nodeText(node: PathwayNode): string {
  const texts = [node.title ?? node.id.replaceAll(/[-_]/g, ' ')]
  if (node.type === 'human') texts.push(node.description ?? '', ...(node.questions ?? []).map(({ text }) => text))
  if (node.type === 'neuron') texts.push(node.with.instructions ?? '', node.with.message)
  return texts.filter(Boolean).join('. ')
}
