import { createTexts } from '../core/texts.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import lt from './lt.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import ro from './ro.json' with { type: 'json' }

/** Texts of files of the access trail. */
export const trailTexts = createTexts('trail', { pl, en, lt, de, ro })
