import type { Schema } from '@ganglion/client'
import { Button, Group, Title } from '@mantine/core'
import { IconDownload, IconHistory } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { ChangeButton } from '../shared/parts/buttons.tsx'
import { VersionChoice } from '../shared/parts/choice.tsx'
import { Status, When } from '../shared/parts/inline.tsx'
import { formatCount } from '../shared/parts/names.ts'
import { Read } from '../shared/parts/read.tsx'
import { Facts, LongJson, Json, Value, Markdown } from '../shared/parts/values.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useRead } from '../shared/service/use-service.ts'
import { MoveButton } from './move.tsx'
import { DOCUMENT_KINDS } from './place.ts'

interface DocumentProps {
  kind: string
  id: string
  version: number | undefined
  onVersion: (version: number | undefined) => void
}

/** A document at one of its versions. Kinds other than assets and artifacts are shown as JSON. */
export const Document = ({ kind, ...props }: DocumentProps) =>
  kind === 'assets' || kind === 'artifacts' ? (
    <TextDocument kind={kind} {...props} />
  ) : (
    <OtherDocument kind={kind} id={props.id} />
  )

interface TextDocumentProps extends DocumentProps {
  kind: 'assets' | 'artifacts'
}

function TextDocument({ kind, id, version, onVersion }: TextDocumentProps) {
  const mayWrite = useSignedIn().can('resources:write')
  const document = useRead(
    ['resources', 'document', kind, id, version],
    (ganglion): PromiseLike<Schema<'Asset'> | Schema<'Artifact'>> => ganglion[kind].get(id, { version }),
  )
  const { data: versions } = useRead(['resources', 'versions', kind, id], async ganglion => {
    const { data } = await ganglion[kind].history(id)
    return data
  })
  return (
    <Read query={document}>
      {document => (
        <article className="detail document">
          <Title order={2} size="h3">
            {document.title}
          </Title>
          <Known kind={kind} document={document} />
          {document.description && <Markdown text={document.description} />}
          {Object.keys(document.metadata).length > 0 && <Value value={document.metadata} />}
          <Group gap="xs" align="end">
            <VersionChoice
              aria-label="Version"
              size="xs"
              miw={0}
              maw="100%"
              none="Latest version"
              value={version}
              versions={versions}
              onChange={onVersion}
            />
            <Button
              component="a"
              size="xs"
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              href={`/v1/${kind}/${id}/content?version=${document.version}`}
              download
            >
              Download
            </Button>
            {mayWrite && <MoveButton place={`${kind}:${id}`} />}
            {mayWrite && version !== undefined && (
              <ChangeButton
                name="resources"
                icon={IconHistory}
                send={ganglion => ganglion[kind].restore(id, { version })}
                onDone={() => onVersion(undefined)}
              >
                Restore this version
              </ChangeButton>
            )}
          </Group>
          {TEXT.test(document.media_type.split(';')[0] ?? '') ? (
            <Text kind={kind} document={document} />
          ) : (
            <p className="item-note">{withoutPreview(document)}</p>
          )}
        </article>
      )}
    </Read>
  )
}

interface ReadDocumentProps {
  kind: 'assets' | 'artifacts'
  document: Schema<'Asset'> | Schema<'Artifact'>
}

function Known({ kind, document }: ReadDocumentProps) {
  const { path, media_type, size, updated_at } = document
  const { pages, status = 'ready', error, metadata } = ('extraction' in document && document.extraction) || {}
  const note = metadata?.['note']
  return (
    <>
      <Facts>
        {DOCUMENT_KINDS[kind]}
        {`in ${path}`}
        {media_type}
        {formatSize(size)}
        {pages !== undefined && formatCount(pages, 'page')}
        <>
          changed <When time={updated_at} />
        </>
        {status === 'none' && 'no text'}
        {(status === 'processing' || status === 'failed') && (
          <>
            <Status status={status === 'failed' ? 'failed' : 'running'} /> extracting text
          </>
        )}
      </Facts>
      {error && <p className="field-error">{error.message}</p>}
      {note && <p className="item-note">{note}</p>}
    </>
  )
}

const withoutPreview = (document: ReadDocumentProps['document']): string =>
  'extraction' in document && document.extraction.status === 'none'
    ? 'No preview. Download the file to view it. Search finds its title and description.'
    : 'No preview. Download the file to view it. Its text is searchable.'

const KILO = 1_000

function formatSize(bytes: number): string {
  if (bytes < KILO) return `${bytes} bytes`
  return bytes < KILO * KILO ? `${(bytes / KILO).toFixed(1)} kB` : `${(bytes / KILO / KILO).toFixed(1)} MB`
}

const TEXT = /^text\/|json$|xml$|yaml$/
/** Bytes of a text shown in the preview. */
const SHOWN_BYTES = 65_536

/** The beginning of a text. Markdown is rendered; everything else, including HTML, is shown as plain text. */
function Text({ kind, document: { id, version, media_type, size } }: ReadDocumentProps) {
  const content = useRead(
    ['content', kind, id, version],
    async ganglion => {
      const headers = { range: `bytes=0-${SHOWN_BYTES - 1}` }
      const response = await ganglion[kind].content(id, { version }, { headers })
      return response.text()
    },
    // The contents of a version never change.
    { staleTime: Infinity },
  )
  return (
    <Read query={content}>
      {text => (
        <section className="shown" aria-label="Text">
          {media_type.startsWith('text/markdown') ? <Markdown text={text} /> : <Json value={text} />}
          {size > SHOWN_BYTES && (
            <p className="item-note">Only the beginning is shown. Download the file to see the rest.</p>
          )}
        </section>
      )}
    </Read>
  )
}

function OtherDocument({ kind, id }: { kind: string; id: string }) {
  const document = useRead(['resources', 'document', kind, id], ({ resources }) => resources.get(kind, id))
  return (
    <Read query={document}>
      {({ title, path, slug, document }) => (
        <article className="detail document">
          <Title order={2} size="h3">
            {title}
          </Title>
          <Facts>
            {DOCUMENT_KINDS[kind] ?? kind}
            {`in ${path}`}
            {kind === 'stakeholder_maps' && (
              <Link to="/stakeholders/$mapId" params={{ mapId: id }} className="table-link">
                Map and briefings
              </Link>
            )}
          </Facts>
          <LongJson value={document} name={slug} />
        </article>
      )}
    </Read>
  )
}
