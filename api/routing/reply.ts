/** A handler's response. `streamed`: the handler writes to the connection itself. */
export type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | 'streamed'

export const ok = (body: unknown, headers?: Record<string, string>): Reply => ({ status: 200, body, headers })

export const created = (location: string, body: unknown): Reply => ({
  status: 201,
  body,
  headers: { Location: location },
})

export const noContent = (): Reply => ({ status: 204 })

/** Builds the response for an accepted run, with the location of the run's job. */
export const accepted = (body: { job_id: string }): Reply => ({
  status: 202,
  body,
  headers: { Location: `/v1/jobs/${encodeURIComponent(body.job_id)}` },
})

export const redirect = (location: string): Reply => ({ status: 302, headers: { Location: location } })
