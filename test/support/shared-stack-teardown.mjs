/** Jest's global teardown. */
export default () => globalThis.closeShared()
