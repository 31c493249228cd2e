/** The owner of a resource: the service, the workspace, or one of its brains. */
export const SCOPES = ['core', 'workspace', 'brain'] as const

export type Scope = (typeof SCOPES)[number]
