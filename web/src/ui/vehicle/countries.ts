import AL from 'country-flag-icons/react/3x2/AL'
import AT from 'country-flag-icons/react/3x2/AT'
import BA from 'country-flag-icons/react/3x2/BA'
import BE from 'country-flag-icons/react/3x2/BE'
import BG from 'country-flag-icons/react/3x2/BG'
import BY from 'country-flag-icons/react/3x2/BY'
import CH from 'country-flag-icons/react/3x2/CH'
import CY from 'country-flag-icons/react/3x2/CY'
import CZ from 'country-flag-icons/react/3x2/CZ'
import DE from 'country-flag-icons/react/3x2/DE'
import DK from 'country-flag-icons/react/3x2/DK'
import EE from 'country-flag-icons/react/3x2/EE'
import ES from 'country-flag-icons/react/3x2/ES'
import FI from 'country-flag-icons/react/3x2/FI'
import FR from 'country-flag-icons/react/3x2/FR'
import GB from 'country-flag-icons/react/3x2/GB'
import GE from 'country-flag-icons/react/3x2/GE'
import GR from 'country-flag-icons/react/3x2/GR'
import HR from 'country-flag-icons/react/3x2/HR'
import HU from 'country-flag-icons/react/3x2/HU'
import IE from 'country-flag-icons/react/3x2/IE'
import IT from 'country-flag-icons/react/3x2/IT'
import KZ from 'country-flag-icons/react/3x2/KZ'
import LI from 'country-flag-icons/react/3x2/LI'
import LT from 'country-flag-icons/react/3x2/LT'
import LU from 'country-flag-icons/react/3x2/LU'
import LV from 'country-flag-icons/react/3x2/LV'
import MD from 'country-flag-icons/react/3x2/MD'
import ME from 'country-flag-icons/react/3x2/ME'
import MK from 'country-flag-icons/react/3x2/MK'
import MT from 'country-flag-icons/react/3x2/MT'
import NL from 'country-flag-icons/react/3x2/NL'
import NO from 'country-flag-icons/react/3x2/NO'
import PL from 'country-flag-icons/react/3x2/PL'
import PT from 'country-flag-icons/react/3x2/PT'
import RO from 'country-flag-icons/react/3x2/RO'
import RS from 'country-flag-icons/react/3x2/RS'
import RU from 'country-flag-icons/react/3x2/RU'
import SE from 'country-flag-icons/react/3x2/SE'
import SI from 'country-flag-icons/react/3x2/SI'
import SK from 'country-flag-icons/react/3x2/SK'
import TR from 'country-flag-icons/react/3x2/TR'
import UA from 'country-flag-icons/react/3x2/UA'

/** Members of the European Union, whose plates bear the blue band. */
const union = {
  AT, BE, BG, CY, CZ, DE, DK, EE, ES, FI, FR, GR, HR, HU, IE, IT, LT, LU, LV, MT, NL, PL, PT, RO, SE, SI, SK,
} // biome-ignore format: a plain list
const others = { AL, BA, BY, CH, GB, GE, KZ, LI, MD, ME, MK, NO, RS, RU, TR, UA }
const flags = { ...union, ...others }

type Iso = keyof typeof flags

/** Distinguishing signs of the Vienna Convention on Road Traffic that differ from the ISO code. */
const signs: Record<string, Iso> = {
  A: 'AT',
  B: 'BE',
  BIH: 'BA',
  D: 'DE',
  E: 'ES',
  EST: 'EE',
  F: 'FR',
  FIN: 'FI',
  FL: 'LI',
  H: 'HU',
  I: 'IT',
  IRL: 'IE',
  L: 'LU',
  M: 'MT',
  MNE: 'ME',
  N: 'NO',
  NMK: 'MK',
  P: 'PT',
  RUS: 'RU',
  S: 'SE',
  SLO: 'SI',
  SRB: 'RS',
  UK: 'GB',
}

/** The country that a plate's code names (ISO 3166 or the distinguishing sign), or null when it names none we know. */
export function country(code: string | null) {
  if (!code) return null
  const iso = code in flags ? (code as Iso) : signs[code]
  return iso ? { iso, Flag: flags[iso], blueBand: iso in union } : null
}
