export { type ChatOptions, type ChatSession, createChatSession } from './chat-session.ts'
export type * from './chat-state.ts'
export type { ChatStorage } from './chat-storage.ts'
