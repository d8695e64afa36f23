import { standIns } from './endings.ts';
import { testEndings } from './test-endings.ts';

testEndings(standIns);
