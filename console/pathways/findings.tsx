import type { PathwayDefinition } from '@ganglion/client'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { readJson } from '../shared/parts/json.ts'
import { formatCount } from '../shared/parts/names.ts'
import { useRead } from '../shared/service/use-service.ts'
import type { Finding } from './code-editor.tsx'

interface FindingsProps {
  findings: Finding[]
  isChecked: boolean
  onChoose: (finding: Finding) => void
}

/** Findings from the service, each linked to its position in the text. */
export const Findings = ({ findings, isChecked, onChoose }: FindingsProps) => (
  <section className="findings" aria-label="Problems">
    <p role="status" className="item-note">
      {isChecked ? summarizeFindings(findings) : 'Checking…'}
    </p>
    <ul className="plain-list">
      {findings.map(finding => (
        <li key={`${finding.pointer} ${finding.message}`}>
          <button
            type="button"
            className="plain-button finding"
            data-tone={finding.severity === 'error' ? 'bad' : 'wait'}
            onClick={() => onChoose(finding)}
          >
            {finding.pointer && <code>{finding.pointer}</code>} {finding.message}
          </button>
        </li>
      ))}
    </ul>
  </section>
)

function summarizeFindings(findings: Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  return [
    errors > 0 || warnings === 0 ? formatCount(errors, 'problem') : '',
    warnings > 0 ? formatCount(warnings, 'warning') : '',
  ]
    .filter(text => text !== '')
    .join(', ')
}

/** Pause in typing, in milliseconds, after which the text is checked. */
const PAUSE_MS = 300
const IN_REQUEST = /^\/definition/

/**
 * Returns the errors and warnings for a text being edited, the last valid JSON value, and the last value without
 * problems. Until the text is checked, returns the findings for the previous text.
 */
export function useFindings(text: string) {
  const [settled] = useDebouncedValue(text, PAUSE_MS)
  const read = useMemo(() => readJson(settled), [settled])
  const [last, setLast] = useState(read)
  if (read !== last && read.problem === undefined) setLast(read)
  const { data, error, isPlaceholderData } = useRead(
    ['pathway-findings', settled],
    async ({ pathways }) => {
      const { problems, warnings } = await pathways.validate({ definition: read.value as PathwayDefinition })
      return [...problems.map(createFinding('error')), ...warnings.map(createFinding('warning'))]
    },
    { enabled: read.problem === undefined, placeholderData: keepPreviousData, gcTime: 0 },
  )
  const findings = useMemo(
    () => (read.problem === undefined ? (data ?? []) : [createProblem(read.problem)]),
    [read, data],
  )
  const isChecked = text === settled && (read.problem !== undefined || (data !== undefined && !isPlaceholderData))
  const [valid, setValid] = useState<unknown>()
  if (isChecked && valid !== read.value && findings.every(({ severity }) => severity !== 'error')) setValid(read.value)
  return { definition: last.value, valid: valid as PathwayDefinition | undefined, findings, error, isChecked }
}

const createProblem = (message: string): Finding => ({ message, severity: 'error' })

const createFinding =
  (severity: Finding['severity']) =>
  ({ pointer, message }: { pointer: string; message: string }): Finding => ({
    pointer: pointer.replace(IN_REQUEST, ''),
    message,
    severity,
  })
