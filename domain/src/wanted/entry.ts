import type { ErrorCode } from '@rogatka/contract/errors.ts'
import { MAX_PLATE_LENGTH } from '@rogatka/contract/options.ts'
import { contactForms, EMAIL, MAX_DESCRIPTION, type TypeOfContact } from '@rogatka/contract/wanted.ts'
import { DAY_MS } from '../core/time.ts'
import { normalisePlate } from '../vehicle/plate.ts'

/** Entries that end until then are marked as expiring: seven days. */
export const expiringUntil = (now: Date): Date => new Date(now.getTime() + 7 * DAY_MS)

/** Plate as stored on lists; null if it contains other than letters and digits. */
export const listedPlate = (text: string): string | null => {
  const plate = normalisePlate(text)
  return plate !== null && /^[\p{L}\p{N}]+$/u.test(plate) ? plate : null
}

const descriptionError = (description: string): ErrorCode | null =>
  description.trim() === ''
    ? 'required-parameter-missing'
    : description.trim().length > MAX_DESCRIPTION
      ? 'text-too-long'
      : null

/** Error code of a list entry, for validation before the request; null if valid. */
export const plateError = ({ plate, description }: { plate: string; description: string }): ErrorCode | null => {
  if (plate.trim() === '') return 'required-parameter-missing'
  if (plate.trim().length > MAX_PLATE_LENGTH) return 'text-too-long'
  return listedPlate(plate) === null ? 'incorrect-plate' : descriptionError(description)
}

/** Error code of a contact; null if valid. */
export const contactError = (contact: string, type: TypeOfContact, description: string): ErrorCode | null => {
  if (contact.trim() === '') return 'required-parameter-missing'
  if (!contactForms[type].safeParse(contact.trim()).success)
    return type === EMAIL ? 'incorrect-email-address' : 'incorrect-phone-number'
  return descriptionError(description)
}
