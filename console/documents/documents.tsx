import './documents.css'
import { NativeSelect, TextInput } from '@mantine/core'
import { IconArrowLeft, IconSearch } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { Empty } from '../parts/empty.tsx'
import { Page } from '../parts/page.tsx'
import { useSetSearch } from '../parts/use-set-search.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { Document } from './document.tsx'
import { DocumentTree } from './document-tree.tsx'
import { Folder } from './folder.tsx'
import { Matches } from './matches.tsx'
import { FOLDER, readPlace } from './place.ts'
import { readDocumentsSearch, type DocumentsSearch, type Mode, MODES } from './search.ts'
import { Uploads } from './uploads.tsx'

const route = getRouteApi('/documents')

/** The documents of a brain: folders or the matches of a search, and what was chosen beside them. */
export function Documents() {
  const { q, mode = 'hybrid', at, version } = route.useSearch()
  const { can } = useSignedIn()
  const set = useSetSearch(readDocumentsSearch, false)
  const choose = useCallback((at: string | undefined) => set({ at, version: undefined }), [set])
  const place = readPlace(at)
  const folder = place?.kind === FOLDER ? place.ref : '/'
  return (
    <Page title="Documents" isWide>
      <SearchForm key={q} query={q} mode={mode} onSearch={set} />
      {can('resources:write') && <Uploads folder={folder} onDone={id => choose(`assets:${id}`)} />}
      <div className="panes" data-chosen={place !== undefined || undefined}>
        <section className="pane pane-list" aria-label={q === undefined ? 'Folders' : 'Matches'}>
          {q === undefined ? (
            <DocumentTree chosen={at} onChoose={choose} />
          ) : (
            <Matches query={q} mode={mode} chosen={at} onChoose={choose} />
          )}
        </section>
        <section className="pane pane-detail" aria-label="What was chosen">
          {place && (
            <Link to="/documents" search={{ q, mode }} className="detail-back">
              <IconArrowLeft size={16} aria-hidden /> All
            </Link>
          )}
          {!place && <Empty title="Choose a document">Its text, its versions and its place are shown here.</Empty>}
          {place?.kind === FOLDER && <Folder key={place.ref} path={place.ref} onMoved={choose} />}
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

interface SearchFormProps {
  query: string | undefined
  mode: Mode
  onSearch: (fields: DocumentsSearch) => void
}

function SearchForm({ query = '', mode, onSearch }: SearchFormProps) {
  const [text, setText] = useState(query)
  return (
    <form
      className="filters"
      role="search"
      onSubmit={event => {
        event.preventDefault()
        onSearch({ q: text.trim() === '' ? undefined : text.trim() })
      }}
    >
      <TextInput
        type="search"
        className="search-text"
        size="sm"
        aria-label="Search documents"
        placeholder="Search documents"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={event => {
          setText(event.currentTarget.value)
          if (event.currentTarget.value === '') onSearch({ q: undefined })
        }}
      />
      <NativeSelect
        size="sm"
        aria-label="Search by"
        value={mode}
        onChange={event => onSearch({ mode: event.currentTarget.value as Mode })}
        data={Object.entries(MODES).map(([value, label]) => ({ value, label }))}
      />
    </form>
  )
}
