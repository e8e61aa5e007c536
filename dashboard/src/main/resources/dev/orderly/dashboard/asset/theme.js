// Runs before the first paint: the viewer's own theme, and the mark that script is on.
(() => {
  const root = document.documentElement;
  root.classList.remove('no-script');
  try {
    const theme = localStorage.getItem('orderly.theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch { /* without storage the system's theme holds */ }
})();
