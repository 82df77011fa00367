/** Markdown tokens as React elements, which escape all text. Nothing is loaded from other hosts. */
import { Anchor } from '@mantine/core';
import type { Token } from 'markdown-it';
import { CopyBlock } from 'plugboard/console';
import { createElement, Fragment, type ReactNode } from 'react';

/** The page's heading is level one, those of an answer are below it. */
const HEADINGS: Readonly<Record<string, string>> = {
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  h6: 'h6',
};
const TAGS = 'p ul ol li blockquote table thead tbody tr th td strong em s'.split(' ');

interface Open {
  readonly token: Token | undefined;
  readonly children: ReactNode[];
}

export function elementsOf(tokens: readonly Token[], code: string): ReactNode[] {
  // A stack instead of recursion: the model's text decides the depth.
  const stack: Open[] = [{ token: undefined, children: [] }];
  for (const token of tokens) {
    const { children } = stack.at(-1)!;
    if (token.nesting > 0) stack.push({ token, children: [] });
    else if (token.nesting === 0) children.push(leaf(token, children.length, code));
    else {
      const { token: opened, children: inner } = stack.pop()!;
      const outer = stack.at(-1)!.children;
      outer.push(element(opened!, outer.length, inner));
    }
  }
  return stack[0]!.children;
}

function element(token: Token, key: number, children: ReactNode[]): ReactNode {
  const { tag, hidden } = token;
  if (tag === 'a') return link(attribute(token, 'href'), key, children);
  if (tag === 'table')
    return (
      <div key={key} style={{ overflowX: 'auto' }} tabIndex={0}>
        <table>{children}</table>
      </div>
    );
  const name = HEADINGS[tag] ?? (TAGS.includes(tag) && !hidden ? tag : Fragment);
  const start = Number(token.attrGet('start') ?? 1);
  const align = /right|center/.exec(attribute(token, 'style'))?.[0];
  const properties = {
    key,
    ...(name === 'ol' && { start }),
    ...(align !== undefined && { style: { textAlign: align } }),
  };
  return createElement(name, properties, ...children);
}

function leaf(token: Token, key: number, code: string): ReactNode {
  const { type, content, children, info } = token;
  if (type === 'inline') return <Fragment key={key}>{elementsOf(children ?? [], code)}</Fragment>;
  if (type === 'softbreak' || type === 'hardbreak') return <br key={key} />;
  if (type === 'hr') return <hr key={key} />;
  if (type === 'code_inline') return <code key={key}>{content}</code>;
  if (type === 'fence' || type === 'code_block')
    return <CopyBlock key={key} text={content.replace(/\n$/, '')} label={info.trim() || code} />;
  if (type === 'image')
    return link(attribute(token, 'src'), key, content === '' ? attribute(token, 'src') : content);
  return content;
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '');
}

/** Addresses other than http and mailto are not linked. */
function link(address: string, key: number, children: ReactNode): ReactNode {
  if (!/^(?:https?:\/\/|mailto:)/i.test(address)) return <Fragment key={key}>{children}</Fragment>;
  return (
    <Anchor key={key} href={address} target="_blank" rel="noopener noreferrer nofollow" inherit>
      {children}
    </Anchor>
  );
}
