import { useTranslation } from 'react-i18next'
import { DownIcon } from '../../ui/icons.tsx'
import { useLanguage } from '../language.ts'
import { LANGUAGE_NAMES } from './languageNames.ts'
import { MenuButton } from './MenuButton.tsx'

/** Language of the screen. */
export function LanguageMenu({ className }: { className: string }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const code = language.toUpperCase()
  return (
    <MenuButton
      menu="language"
      className={className}
      aria-label={`${code}: ${t('language')}, ${LANGUAGE_NAMES[language]}`}
    >
      {code}
      <DownIcon />
    </MenuButton>
  )
}
