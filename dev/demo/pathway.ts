import { type Ganglion, NotFoundError, type Pathway, type PathwayDefinition } from '@ganglion/client'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { CHECKOUT } from '../machine/folders.ts'

const SLUG = 'invoice-approval'
export const PATHWAY_FILE = join(CHECKOUT, 'dev/samples/invoice-approval.json')
export const INVOICE_FILE = join(CHECKOUT, 'dev/samples/invoice.txt')

/** Creates the sample pathway. If it exists and the file has changed, saves a new version. */
export async function ensurePathway(ganglion: Ganglion): Promise<Pathway> {
  const definition = JSON.parse(readFileSync(PATHWAY_FILE, 'utf8')) as PathwayDefinition
  const pathway = await readStored(ganglion)
  if (!pathway) {
    const fields = {
      slug: SLUG,
      title: 'Invoice approval',
      description: 'Reads an invoice, asks for approval and orders the payment.',
    }
    return ganglion.pathways.create({ ...fields, definition })
  }
  if (isDeepStrictEqual(pathway.definition, definition)) return pathway
  return ganglion.pathways.update(pathway.id, { definition, note: 'The sample file has changed' })
}

async function readStored(ganglion: Ganglion): Promise<Pathway | undefined> {
  try {
    return await ganglion.pathways.get(SLUG)
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}
