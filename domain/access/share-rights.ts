/** `read`: threads, and the streams of their jobs. `write`: send messages. */
export const SHARE_RIGHTS = ['read', 'write'] as const
export type ShareRight = (typeof SHARE_RIGHTS)[number]

/** What a share token opens. */
export const SHARED_TARGETS = ['receptor', 'trace'] as const
export type SharedTarget = (typeof SHARED_TARGETS)[number]
