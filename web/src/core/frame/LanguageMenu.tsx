import { Menu } from '@mantine/core'
import { type Language, languages } from '@rogatka/contract/languages.ts'
import { useTranslation } from 'react-i18next'
import { DownIcon } from '../../ui/icons.tsx'
import { chooseLanguage, useLanguage } from '../language.ts'
import { LANGUAGE_NAMES } from './languageNames.ts'

/** Languages under their native names. */
export function LanguageMenu({ className }: { className: string }) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button
          type="button"
          className={className}
          aria-label={`${language.toUpperCase()}: ${t('language')}, ${LANGUAGE_NAMES[language]}`}
        >
          {language.toUpperCase()}
          <DownIcon />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={language} onChange={(selected) => chooseLanguage(selected as Language)}>
          {languages.map((option) => (
            <Menu.RadioItem key={option} value={option} lang={option} closeMenuOnClick>
              {LANGUAGE_NAMES[option]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
