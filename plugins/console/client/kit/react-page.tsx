/** A page made of React components: `export const mount = reactPage(MemoryPage)`. */
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { Component, StrictMode, type ComponentType, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Context, useScheme } from './context.js';
import type { Mount } from './contract.js';
import { styleNonce } from './nonce.js';
import { queries } from './queries.js';
import { Failed } from './states.js';
import { theme } from './theme.js';

export function reactPage(Page: ComponentType): Mount {
  return (element, context) => {
    const root = createRoot(element);
    root.render(
      <StrictMode>
        <Context value={context}>
          <Surroundings>
            <Page />
          </Surroundings>
        </Context>
      </StrictMode>,
    );
    // React does not allow one root to unmount another while it renders.
    return () => queueMicrotask(() => root.unmount());
  };
}

/** Only the shell's provider writes the document's variables and classes; a page's provider passes them on. */
export function Surroundings({ children }: { children: ReactNode }): ReactNode {
  return (
    <MantineProvider
      theme={theme}
      forceColorScheme={useScheme()}
      getRootElement={() => undefined}
      getStyleNonce={styleNonce}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <Boundary>{children}</Boundary>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Shows an error thrown by a component instead of an empty page. */
class Boundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};
  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }
  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Failed error={error} />;
  }
}
