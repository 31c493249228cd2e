import { toCount } from '../parts/names.ts'
import type { Finding } from './code-editor.tsx'

interface FindingsProps {
  findings: Finding[]
  isChecked: boolean
  onChoose: (finding: Finding) => void
}

/** What the service found, each with the way to its place in the text. */
export const Findings = ({ findings, isChecked, onChoose }: FindingsProps) => (
  <section className="findings" aria-label="Problems">
    <p role="status" className="item-note">
      {isChecked ? toSummary(findings) : 'Checking…'}
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

function toSummary(findings: Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  return [
    errors > 0 || warnings === 0 ? toCount(errors, 'problem') : '',
    warnings > 0 ? toCount(warnings, 'warning') : '',
  ]
    .filter(text => text !== '')
    .join(', ')
}
