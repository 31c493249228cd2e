import './documents.css'
import { TextInput, Title, UnstyledButton } from '@mantine/core'
import { IconArrowLeft, IconFile, IconFolder, IconSearch } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { Choice } from '../shared/parts/choice.tsx'
import { Form } from '../shared/parts/form.tsx'
import { Page } from '../shared/parts/page.tsx'
import { When } from '../shared/parts/inline.tsx'
import { Empty, ReadList } from '../shared/parts/read.tsx'
import { useSetSearch } from '../shared/parts/use-set-search.ts'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useRead } from '../shared/service/use-service.ts'
import { DocumentTree } from './document-tree.tsx'
import { Document } from './document.tsx'
import { Matches } from './matches.tsx'
import { MoveButton } from './move.tsx'
import { DOCUMENT_KINDS, FOLDER, readPlace } from './place.ts'
import { readDocumentsSearch, MODES } from './search.ts'
import { Uploads } from './uploads.tsx'
import { useFolder } from './use-folder.ts'

const route = getRouteApi('/documents')

/** The documents in a brain: folders or search results, with the selected item next to them. */
export function Documents() {
  const { q, mode = 'hybrid', at, version } = route.useSearch()
  const mayWrite = useSignedIn().can('resources:write')
  const set = useSetSearch(readDocumentsSearch, false)
  const choose = useCallback((at: string | undefined) => set({ at, version: undefined }), [set])
  const place = readPlace(at)
  const folder = useFolder(at)
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
        <Choice aria-label="Search mode" value={mode} options={MODES} onChange={mode => set({ mode })} />
      </Form>
      {mayWrite && <Uploads folder={folder} onDone={id => choose(`assets:${id}`)} />}
      <div className="panes" data-chosen={place !== undefined || undefined}>
        <section className="pane pane-list" aria-label={q === undefined ? 'Folders' : 'Matches'}>
          {q === undefined ? (
            <DocumentTree selectedKey={at} onChoose={choose} />
          ) : (
            <Matches query={q} mode={mode} selectedKey={at} onChoose={choose} />
          )}
        </section>
        <section className="pane pane-detail" aria-label="Selected item">
          {place ? (
            <Link to="/documents" search={{ q, mode }} className="detail-back">
              <IconArrowLeft size={16} aria-hidden /> All
            </Link>
          ) : (
            <Empty title="Select a document">The document's text, versions and folder appear here.</Empty>
          )}
          {place?.kind === FOLDER && (
            <Folder key={at} path={place.ref} mayWrite={mayWrite} onChoose={choose} onMoved={() => choose(undefined)} />
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
  onChoose: (place: string) => void
  onMoved: () => void
}

const LISTED = 200

/** A folder with its contents. Uploads go to the selected folder. Moving a folder moves everything in it. */
function Folder({ path, mayWrite, onChoose, onMoved }: FolderProps) {
  const place = `${FOLDER}:${path}`
  const children = useRead(['resources', 'folder', place], async ({ browse }) => {
    const reply = await browse.tree({ parent_keys: [place], tree_profile: 'document', limit: LISTED })
    return { data: 'parents' in reply ? (reply.parents[place]?.nodes ?? []) : [] }
  })
  return (
    <article className="detail">
      <Title order={2} size="h3">
        {path}
      </Title>
      <ReadList query={children} empty={['No documents']} className="item-list" keyOf={({ key }) => key}>
        {({ key, title, resource }) => {
          const Icon = resource ? IconFile : IconFolder
          return (
            <UnstyledButton
              className="item match"
              onClick={() => onChoose(resource ? `${resource.type}:${resource.id}` : key)}
            >
              <Icon size={18} stroke={1.6} aria-hidden />
              <span className="item-text">
                <span className="item-title">{title}</span>
                {resource && (
                  <span className="item-note">
                    {DOCUMENT_KINDS[resource.type]}, changed <When time={resource.updated_at} />
                  </span>
                )}
              </span>
            </UnstyledButton>
          )
        }}
      </ReadList>
      {mayWrite && <p className="item-note">New uploads go to this folder.</p>}
      {mayWrite && path !== '/' && <MoveButton place={place} onMoved={onMoved} />}
    </article>
  )
}
