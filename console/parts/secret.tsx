import { CopyText } from './copy-text.tsx'

/** A text that the service shows once. It leaves the page when this does. */
export const Secret = ({ label, text }: { label: string; text: string | undefined }) =>
  text === undefined ? null : (
    <div className="secret" role="status">
      <strong>{label}. Copy it now: it is not shown again.</strong>
      <span>
        <code>{text}</code> <CopyText text={text} label="Copy" />
      </span>
    </div>
  )
