/** The title of the document: of tabs, bookmarks and the history. */
import { useEffect } from 'react';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Plugboard`;
  }, [title]);
}
