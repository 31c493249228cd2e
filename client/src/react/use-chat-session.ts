import { useEffect, useState, useSyncExternalStore } from 'react'
import { type ChatOptions, type ChatSession, createChatSession } from '../chat/chat-session.ts'
import type { ChatState } from '../chat/chat-state.ts'

/**
 * Starts a chat session for the time that the component is mounted. Returns the session with its state. The options of
 * the first call apply.
 */
export function useChatSession(options: ChatOptions): { session: ChatSession; state: ChatState } {
  const [session] = useState(() => createChatSession(options))
  const state = useSyncExternalStore(session.subscribe, session.getState, session.getState)
  useEffect(() => {
    const resume = () => session.getState().problem?.kind === 'offline' && void session.start()
    void session.start()
    addEventListener('online', resume)
    return () => {
      removeEventListener('online', resume)
      session.stop()
    }
  }, [session])
  return { session, state }
}
