export const Brand = () => (
  <span className="brand">
    <img src="/console/icon.svg" alt="" width="28" height="28" />
    Ganglion
  </span>
)
