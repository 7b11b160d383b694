import { computed, signal } from '@preact/signals';
import { systems } from '../code/systems';

/** The systems in whose notation the line of a repair is written: a layer of the IR has no lines. */
export const repairSystems = systems.filter(({ id }) => id !== 'openvino-ir');

/** The system whose code is shown with each repair: the chosen one, or that of the text that was pasted last. */
export const codeSystem = signal('numpy');

export const codeTitle = computed(() => repairSystems.find(({ id }) => id === codeSystem.value)?.title ?? '');
