import { BLACK } from '@rogatka/contract/wanted.ts'
import { PlatesScreen } from './PlatesScreen.tsx'

export const BlackListPage = () => <PlatesScreen key="black" typeOfList={BLACK} />
