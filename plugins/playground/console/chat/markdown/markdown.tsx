/** A model's answer as Markdown. A stream is rendered in steps that leave time for the rest of the page. */
import { Typography } from '@mantine/core';
import { useTexts } from 'plugboard/console';
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { texts } from '../../texts/index.js';
import { elementsOf } from './elements.js';
import classes from './markdown.module.css';
import { NOTHING, parseOn, type Block } from './parse.js';

interface MarkdownProps {
  readonly text: string;
  /** Whether more is to come. */
  readonly streaming: boolean;
}

export default memo(function Markdown({ text, streaming }: MarkdownProps): ReactNode {
  const begun = performance.now();
  const cost = useRef(0);
  useLayoutEffect(() => {
    cost.current = performance.now() - begun;
  });
  const shown = usePaced(text, streaming, cost);
  const parsed = useRef(NOTHING);
  parsed.current = useMemo(() => parseOn(parsed.current, shown, !streaming), [shown, streaming]);
  return (
    <Typography className={classes['answer']!}>
      {parsed.current.blocks.map((block) => (
        <BlockShown key={block.at} block={block} />
      ))}
    </Typography>
  );
});

const BlockShown = memo(function BlockShown({ block }: { block: Block }): ReactNode {
  const t = useTexts(texts);
  return block.plain === undefined ? (
    elementsOf(block.tokens, t.code)
  ) : (
    <p className={classes['plain']}>{block.plain}</p>
  );
});

/** The least milliseconds between two steps. */
const STEP = 50;

/** The text in steps: the longer one took to render, the later the next. */
function usePaced(text: string, streaming: boolean, cost: { readonly current: number }): string {
  const [shown, setShown] = useState(text);
  const latest = useRef(text);
  latest.current = text;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (!streaming || timer.current !== undefined) return;
    timer.current = setTimeout(
      () => {
        timer.current = undefined;
        setShown(latest.current);
      },
      Math.max(STEP, cost.current * 4),
    );
  }, [text, streaming, cost]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return streaming ? shown : text;
}
