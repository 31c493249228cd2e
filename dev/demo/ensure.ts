import { ApiError } from './api-client.ts'
import type { ApiClient } from './api-client.ts'

/** Made the first time; what a person has changed since stays. */
export async function ensure(api: ApiClient, path: string, slug: string, fields: object): Promise<void> {
  try {
    await api.call('GET', `${path}/${slug}`)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    await api.call('POST', path, { slug, ...fields })
  }
}
