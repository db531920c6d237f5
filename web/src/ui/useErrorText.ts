import { useTranslation } from 'react-i18next'
import { bannerText, isUnavailable, refusalTexts, statusOf, stripNullPrefix } from './bannerText.ts'

/** Translates an error: the server's text, else the text of its code, else its HTTP status. */
export function useErrorText(): (error: unknown) => string {
  const { t, i18n } = useTranslation('ui')
  return (error) => {
    if (isUnavailable(error)) return t('errors:unavailable')
    const texts = refusalTexts(error)
    if (texts.length > 0) return texts.join(' ')
    const status = statusOf(error)
    if (status !== null) return t('http-status', { status })
    const text = stripNullPrefix(bannerText(error))
    return i18n.exists(`errors:${text}`) ? t(`errors:${text}`) : text
  }
}
