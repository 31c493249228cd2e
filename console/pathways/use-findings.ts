import type { PathwayDefinition } from '@ganglion/client'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useSignedIn } from '../service/signed-in.tsx'
import type { Finding } from './code-editor.tsx'

/** The pause in writing after which the text is checked. */
const PAUSE_MS = 300
const IN_REQUEST = /^\/definition/

/**
 * What the service would refuse or warn of in a text that is being written; the last value that the text was as JSON, and the
 * last one without problems. Until the text is checked, the findings are those of the text before.
 */
export function useFindings(text: string) {
  const { ganglion, brainId } = useSignedIn()
  const [settled] = useDebouncedValue(text, PAUSE_MS)
  const read = useMemo(() => readJson(settled), [settled])
  const [last, setLast] = useState(read)
  if (read !== last && 'value' in read) setLast(read)
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['pathway-findings', brainId, settled],
    queryFn: async () => {
      const { problems, warnings } = await ganglion.pathways.validate({ definition: read.value as PathwayDefinition })
      return [...problems.map(toFinding('error')), ...warnings.map(toFinding('warning'))]
    },
    enabled: 'value' in read,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const findings = useMemo(() => ('value' in read ? (data ?? []) : [read.finding]), [read, data])
  const isChecked = text === settled && ('finding' in read || (data !== undefined && !isPlaceholderData))
  const [valid, setValid] = useState<unknown>()
  if (isChecked && valid !== read.value && findings.every(({ severity }) => severity !== 'error')) setValid(read.value)
  return { definition: last.value, valid: valid as PathwayDefinition | undefined, findings, error, isChecked }
}

const toFinding =
  (severity: Finding['severity']) =>
  ({ pointer, message }: { pointer: string; message: string }): Finding => ({
    pointer: pointer.replace(IN_REQUEST, ''),
    message,
    severity,
  })

/** The value of a text in JSON, or where the text is none. */
export function readJson(
  text: string,
): { value: unknown; finding?: undefined } | { value?: undefined; finding: Finding } {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { finding: { message: `This is no JSON: ${(error as Error).message}`, severity: 'error' } }
  }
}
