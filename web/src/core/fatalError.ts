import type { Language } from '@rogatka/contract/languages.ts'
import { currentLanguage } from './language.ts'

/** Built into the script: shown when no other texts could be loaded. */
const TEXTS: Record<Language, [string, string]> = {
  pl: ['Nie udało się wczytać strony.', 'Spróbuj ponownie'],
  en: ['The page could not be loaded.', 'Try again'],
  lt: ['Nepavyko įkelti puslapio.', 'Bandyti dar kartą'],
  de: ['Die Seite konnte nicht geladen werden.', 'Erneut versuchen'],
  ro: ['Pagina nu a putut fi încărcată.', 'Încearcă din nou'],
}

/** Says that the page could not be loaded, with a reload button. */
export function renderFatalError(root: HTMLElement): void {
  const [message, retryLabel] = TEXTS[currentLanguage()]
  const button = document.createElement('button')
  button.textContent = retryLabel
  button.onclick = () => location.reload()
  const paragraph = document.createElement('p')
  paragraph.role = 'alert'
  paragraph.append(message, ' ', button)
  root.replaceChildren(paragraph)
}
