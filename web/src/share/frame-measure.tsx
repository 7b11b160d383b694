// Measures how high a frame is: shows it out of sight, in two widths, and hears what it reports.

import { useEffect, useRef } from 'preact/hooks';
import { type FrameHeights, measuredWidths } from './frame';

interface Props {
  readonly address: string;
  readonly measured: (heights: Partial<FrameHeights>) => void;
}

const names = ['wide', 'narrow'] as const;

export function FrameMeasure({ address, measured }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const hear = ({ source, origin, data }: MessageEvent): void => {
      if (origin !== location.origin || data?.from !== 'broadloom' || data.type !== 'height') return;
      const frames = [...(box.current?.querySelectorAll('iframe') ?? [])];
      const name = names[frames.findIndex(({ contentWindow }) => contentWindow === source)];
      if (name && Number.isFinite(data.height)) measured({ [name]: data.height });
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, [address, measured]);
  return (
    <div class="frame-measure" ref={box} inert aria-hidden="true">
      {names.map((name) => (
        <iframe
          key={name + address}
          src={address}
          title={`Measured: ${name}`}
          width={measuredWidths[name]}
          tabIndex={-1}
        />
      ))}
    </div>
  );
}
