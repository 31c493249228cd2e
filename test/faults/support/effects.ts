import type { Ledger, LedgerRequest } from '../../support/shared/ledger.ts'

/** Returns a node whose effect is unique to the node and run. `query` controls how the ledger responds. */
export const post = ({ url }: Ledger, id: string, query = '', more: object = {}) => ({
  id,
  type: 'http',
  with: { method: 'POST', url: `${url}/${id}${query}`, json: { run: '${run.id}', node: id } },
  ...more,
})

/** Returns all requests from a run to the ledger at one path. */
export const listRequests = ({ requests }: Ledger, jobId: string, path: string): LedgerRequest[] =>
  requests.filter(request => request.path === path && request.body.includes(jobId))

/** Returns the keys of the nodes in a run that had an effect, once per effect. */
export const listEffects = ({ effects }: Ledger, jobId: string): string[] =>
  effects.flatMap(({ key }) => (key?.startsWith(`${jobId}:`) ? [key.slice(jobId.length + 1)] : [])).sort()
