import { lazy, Suspense } from 'react'

const MarkdownElements = lazy(() => import('./markdown-elements.tsx'))

/** Markdown of models and people; as it is written until what reads it is loaded. */
export const Markdown = ({ text }: { text: string }) => (
  <Suspense fallback={<p className="detail-text">{text}</p>}>
    <MarkdownElements text={text} />
  </Suspense>
)
