import './documents.css'
import { TextInput, Title } from '@mantine/core'
import { IconArrowLeft, IconSearch } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { Choice } from '../parts/choice.tsx'
import { Form } from '../parts/form.tsx'
import { Page } from '../parts/page.tsx'
import { Empty } from '../parts/read.tsx'
import { useSetSearch } from '../parts/use-set-search.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { DocumentTree } from './document-tree.tsx'
import { Document } from './document.tsx'
import { Matches } from './matches.tsx'
import { MoveButton } from './move.tsx'
import { FOLDER, readPlace } from './place.ts'
import { readDocumentsSearch, MODES } from './search.ts'
import { Uploads } from './uploads.tsx'

const route = getRouteApi('/documents')

/** The documents of a brain: folders or the matches of a search, and what was chosen beside them. */
export function Documents() {
  const { q, mode = 'hybrid', at, version } = route.useSearch()
  const mayWrite = useSignedIn().can('resources:write')
  const set = useSetSearch(readDocumentsSearch, false)
  const choose = useCallback((at: string | undefined) => set({ at, version: undefined }), [set])
  const place = readPlace(at)
  return (
    <Page title="Documents" isWide>
      <Form key={q} className="filters" role="search" onSubmit={({ q }) => set({ q })}>
        <TextInput
          name="q"
          type="search"
          className="search-text"
          aria-label="Search documents"
          placeholder="Search documents"
          leftSection={<IconSearch size={16} aria-hidden />}
          defaultValue={q}
          onChange={event => event.currentTarget.value === '' && set({ q: undefined })}
        />
        <Choice aria-label="Search by" value={mode} options={MODES} onChange={mode => set({ mode })} />
      </Form>
      {mayWrite && <Uploads folder={place?.kind === FOLDER ? place.ref : '/'} onDone={id => choose(`assets:${id}`)} />}
      <div className="panes" data-chosen={place !== undefined || undefined}>
        <section className="pane pane-list" aria-label={q === undefined ? 'Folders' : 'Matches'}>
          {q === undefined ? (
            <DocumentTree chosen={at} onChoose={choose} />
          ) : (
            <Matches query={q} mode={mode} chosen={at} onChoose={choose} />
          )}
        </section>
        <section className="pane pane-detail" aria-label="What was chosen">
          {place ? (
            <Link to="/documents" search={{ q, mode }} className="detail-back">
              <IconArrowLeft size={16} aria-hidden /> All
            </Link>
          ) : (
            <Empty title="Choose a document">Its text, its versions and its place are shown here.</Empty>
          )}
          {place?.kind === FOLDER && (
            <Folder key={at} path={place.ref} mayWrite={mayWrite} onMoved={() => choose(undefined)} />
          )}
          {place && place.kind !== FOLDER && (
            <Document
              key={at}
              kind={place.kind}
              id={place.ref}
              version={version}
              onVersion={version => set({ version })}
            />
          )}
        </section>
      </div>
    </Page>
  )
}

interface FolderProps {
  path: string
  mayWrite: boolean
  onMoved: () => void
}

/** A folder: uploads go here while it is chosen, and it is moved with everything in it. */
const Folder = ({ path, mayWrite, onMoved }: FolderProps) => (
  <article className="detail">
    <Title order={2} size="h3">
      {path}
    </Title>
    {mayWrite && <p className="detail-text">Files that you upload now go into this folder.</p>}
    {mayWrite && path !== '/' && <MoveButton place={`${FOLDER}:${path}`} onMoved={onMoved} />}
  </article>
)
