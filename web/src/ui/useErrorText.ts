import { errorCodes } from '@rogatka/contract/errors.ts'
import { useTranslation } from 'react-i18next'
import { bannerText, isUnavailable, refusalTexts, statusOf, withoutNull } from './bannerText.ts'

const isCode = (text: string) => (errorCodes as readonly string[]).includes(text)

/** Says an error in the operator's language: what the server wrote, else the text of its code, else its status. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation('ui')
  return (error) => {
    if (isUnavailable(error)) return t('errors:unavailable')
    const texts = refusalTexts(error)
    if (texts.length > 0) return texts.join(' ')
    const status = statusOf(error)
    if (status !== null) return t('http-status', { status })
    const text = withoutNull(bannerText(error))
    return isCode(text) ? t(`errors:${text}`) : text
  }
}
