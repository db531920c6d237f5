import { Menu } from '@mantine/core'
import { type Language, languages } from '@rogatka/contract/languages.ts'
import { chooseLanguage, useLanguage } from '../language.ts'
import { LANGUAGE_NAMES } from './languageNames.ts'

/** Languages under their native names. */
export const LanguageItems = () => (
  <Menu.Dropdown>
    <Menu.RadioGroup value={useLanguage()} onChange={(selected) => chooseLanguage(selected as Language)}>
      {languages.map((option) => (
        <Menu.RadioItem key={option} value={option} lang={option} closeMenuOnClick>
          {LANGUAGE_NAMES[option]}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  </Menu.Dropdown>
)
