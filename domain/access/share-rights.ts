/** `read`: threads and the streams of their jobs. `write`: sending messages. */
export const SHARE_RIGHTS = ['read', 'write'] as const
export type ShareRight = (typeof SHARE_RIGHTS)[number]

/** Targets that a share token can give access to. */
export const SHARED_TARGETS = ['receptor', 'trace'] as const
export type SharedTarget = (typeof SHARED_TARGETS)[number]
