import { journeyTests } from './journeys.ts';

journeyTests([{ by: 'keyboard', width: 1280, javaScript: false }]);
