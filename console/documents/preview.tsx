import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { Json } from '../parts/value.tsx'
import { SHOWN_BYTES, useContentQuery } from './queries.ts'

const Markdown = lazy(() => import('../parts/markdown.tsx'))
const TEXT = /^text\/|json$|xml$|yaml$/

interface PreviewProps {
  kind: 'assets' | 'artifacts'
  id: string
  version: number
  mediaType: string
  size: number
}

/** The beginning of a text: Markdown as it is meant, everything else, also HTML, as its characters. */
export function Preview(props: PreviewProps) {
  if (!TEXT.test(props.mediaType.split(';')[0] ?? ''))
    return <p className="item-note">It is no text: download it to look at it. Search finds the text in it.</p>
  return <TextPreview {...props} />
}

function TextPreview({ kind, id, version, mediaType, size }: PreviewProps) {
  const { data: text, error } = useQuery(useContentQuery(kind, id, version))
  if (error) return <Failure error={error} />
  if (text === undefined) return <Loading />
  return (
    <section className="shown" aria-label="Text">
      {mediaType.startsWith('text/markdown') ? (
        <Suspense fallback={<Json value={text} />}>
          <Markdown text={text} />
        </Suspense>
      ) : (
        <Json value={text} />
      )}
      {size > SHOWN_BYTES && <p className="item-note">This is the beginning; the download has all of it.</p>}
    </section>
  )
}
