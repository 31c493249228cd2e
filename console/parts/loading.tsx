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
