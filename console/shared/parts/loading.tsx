import { type ComponentType, lazy, Suspense } from 'react'

const Spinner = () => <span className="spinner" role="status" aria-label="Loading" />

export const LoadingPage = () => (
  <main className="loading loading-page">
    <Spinner />
  </main>
)

export const Loading = () => (
  <div className="loading">
    <Spinner />
  </div>
)

/** Loads the code of a component when it is first shown. */
export function showLater<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Part = lazy(load) as ComponentType<Props>
  return (props: Props) => (
    <Suspense fallback={<Loading />}>
      <Part {...props} />
    </Suspense>
  )
}
