import { useCallback, useState } from 'react'

/** A person's unfinished answer. */
export interface Draft {
  comment?: string
  data?: unknown
  answers?: Record<string, string>
}

const PREFIX = 'ganglion-draft:'
const KEPT_MS = 30 * 86_400_000

interface StoredDraft {
  at: number
  draft: Draft
}

/** Keeps a draft answer after a reload, a rejected answer, or an answer from another person. */
export function useDraft(interventionId: string) {
  const key = PREFIX + interventionId
  const [draft, setDraft] = useState<Draft>(() => readDraft(key))
  const change = useCallback(
    (fields: Draft) =>
      setDraft(before => {
        const draft = { ...before, ...fields }
        localStorage.setItem(key, JSON.stringify({ at: Date.now(), draft } satisfies StoredDraft))
        return draft
      }),
    [key],
  )
  const clear = useCallback(() => localStorage.removeItem(key), [key])
  return { draft, change, clear }
}

function readDraft(key: string): Draft {
  removeOld()
  return parse(localStorage.getItem(key))?.draft ?? {}
}

function removeOld(): void {
  for (const key of Object.keys(localStorage).filter(key => key.startsWith(PREFIX))) {
    const entry = parse(localStorage.getItem(key))
    if (!entry || entry.at < Date.now() - KEPT_MS) localStorage.removeItem(key)
  }
}

function parse(text: string | null): StoredDraft | undefined {
  try {
    return text === null ? undefined : (JSON.parse(text) as StoredDraft)
  } catch {
    return undefined
  }
}
