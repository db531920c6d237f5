import type { Language } from '@rogatka/contract/languages.ts'
import { currentLanguage } from './language.ts'
import { isWallScreen, reloadWhenReachable } from './wallScreen.ts'

/** Built into the script: shown when no other texts could be loaded. */
const TEXTS: Record<Language, [string, string]> = {
  pl: ['Nie udało się wczytać strony.', 'Spróbuj ponownie'],
  en: ['The page could not be loaded.', 'Try again'],
  lt: ['Nepavyko įkelti puslapio.', 'Bandyti dar kartą'],
  de: ['Die Seite konnte nicht geladen werden.', 'Erneut versuchen'],
  ro: ['Pagina nu a putut fi încărcată.', 'Încearcă din nou'],
}

const RELOAD_MS = 15_000

/** Says that the page could not be loaded, with a reload button; a wall screen reloads itself. */
export function renderFatalError(root: HTMLElement): void {
  const [message, retryLabel] = TEXTS[currentLanguage()]
  const button = document.createElement('button')
  button.textContent = retryLabel
  button.onclick = () => location.reload()
  const paragraph = document.createElement('p')
  paragraph.role = 'alert'
  if (isWallScreen()) {
    paragraph.append(message)
    setInterval(() => void reloadWhenReachable(), RELOAD_MS)
  } else paragraph.append(message, ' ', button)
  root.replaceChildren(paragraph)
}
