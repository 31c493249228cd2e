import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'

/**
 * Changes search parameters of the current page. Parameters set to undefined are removed.
 * @param read the reader of the search parameters
 * @param isReplaced whether to replace the current history entry
 */
export function useSetSearch<Search extends object>(
  read: (search: Record<string, unknown>) => Search,
  isReplaced = true,
): (fields: Search) => void {
  const navigate = useNavigate()
  return useCallback(
    fields => void navigate({ to: '.', search: before => read({ ...before, ...fields }), replace: isReplaced }),
    [navigate, read, isReplaced],
  )
}
