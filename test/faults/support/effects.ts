import type { Ledger, LedgerRequest } from '../../support/shared/ledger.ts'

/** A node with an effect that no other node and no other run has. `query` says how the ledger behaves. */
export const post = ({ url }: Ledger, id: string, query = '', more: object = {}) => ({
  id,
  type: 'http',
  with: { method: 'POST', url: `${url}/${id}${query}`, json: { run: '${run.id}', node: id } },
  ...more,
})

/** What a run asked the ledger for at one path, as often as it asked. */
export const listRequests = ({ requests }: Ledger, jobId: string, path: string): LedgerRequest[] =>
  requests.filter(request => request.path === path && request.body.includes(jobId))

/** Keys of the nodes whose effect happened in a run, each as often as it did. */
export const listEffects = ({ effects }: Ledger, jobId: string): string[] =>
  effects.flatMap(({ key }) => (key?.startsWith(`${jobId}:`) ? [key.slice(jobId.length + 1)] : [])).sort()
