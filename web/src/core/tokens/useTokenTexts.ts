import { useTranslation } from 'react-i18next'

/** Texts of the buttons of a holder, of the namespace of its feature. */
export function useTokenTexts(namespace: 'devices' | 'systems', name: string) {
  const { t } = useTranslation(namespace)
  return {
    widerRights: t('wider-rights'),
    renew: {
      label: t('renew'),
      labelNamed: t('renew-named', { name }),
      question: t('renew-question', { name }),
      effect: t('renew-effect'),
      failed: t('renew-failed'),
    },
    revoke: {
      label: t('revoke'),
      labelNamed: t('revoke-named', { name }),
      question: t('revoke-question', { name }),
      effect: t('revoke-effect'),
      failed: t('revoke-failed'),
      done: t('revoke-done', { name }),
    },
  }
}
