import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Panel, Section } from '../ui/Panel.tsx'
import css from './Preferences.module.css'

/** Leads to the second factors of the user. */
export function SecurityLink() {
  const { t } = useTranslation('preferences')
  return (
    <Panel>
      <Section title={t('security')}>
        <div className={css.form}>
          <p className={css.hint}>{t('security-hint')}</p>
          <div>
            <Button component={Link} to="/account-security" variant="default">
              {t('open-security')}
            </Button>
          </div>
        </div>
      </Section>
    </Panel>
  )
}
