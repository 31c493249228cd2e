import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'

/**
 * Changes fields of the address of this page; undefined takes one away.
 * @param read what reads the address
 * @param isReplaced whether the back button passes over the address before
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
