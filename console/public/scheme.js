// Sets the color scheme before the first paint. It is a file because the policy of the page allows no inline script.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // A browser without storage follows its system.
  }
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  const scheme = chosen === 'light' || chosen === 'dark' ? chosen : isDark ? 'dark' : 'light'
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
})()
