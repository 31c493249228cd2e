import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { PathwayView } from '../../services/pathways/types.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { ApiError } from './api-client.ts'
import type { ApiClient } from './api-client.ts'

const SLUG = 'invoice-approval'
export const PATHWAY_FILE = join(CHECKOUT, 'dev/samples/invoice-approval.json')
export const INVOICE_FILE = join(CHECKOUT, 'dev/samples/invoice.txt')

/** The sample pathway as the file has it: created the first time, saved as a new version when the file has changed. */
export async function ensurePathway(api: ApiClient): Promise<PathwayView> {
  const definition: unknown = JSON.parse(readFileSync(PATHWAY_FILE, 'utf8'))
  const stored = await readStored(api)
  if (!stored) {
    const fields = {
      slug: SLUG,
      title: 'Invoice approval',
      description: 'Reads an invoice, asks a person, orders the payment.',
    }
    return api.call<PathwayView>('POST', '/v1/pathways', { ...fields, definition })
  }
  if (isDeepStrictEqual(stored.definition, definition)) return stored
  return api.call<PathwayView>('PATCH', `/v1/pathways/${stored.id}`, {
    definition,
    note: 'the sample file has changed',
  })
}

async function readStored(api: ApiClient): Promise<PathwayView | undefined> {
  try {
    return await api.call<PathwayView>('GET', `/v1/pathways/${SLUG}`)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}
