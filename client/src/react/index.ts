export { Chat, type ChatProps } from './chat.tsx'
export type { ChatLabels } from './labels.ts'
export { useChatSession } from './use-chat-session.ts'
export type * from '../chat/index.ts'
