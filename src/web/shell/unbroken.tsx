import { Component, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { visible } from '../parts/words.ts';

interface State {
  readonly failure?: unknown;
}

/** Whatever fails while it is drawn leaves words and a way on, not an empty page. */
export class Unbroken extends Component<{ readonly children: ReactNode }, State> {
  override state: State = {};

  static getDerivedStateFromError(failure: unknown): State {
    return { failure };
  }

  override render(): ReactNode {
    if (!('failure' in this.state)) return this.props.children;
    const { failure } = this.state;
    return (
      <main>
        <Page title="This page broke">
          <div role="alert">
            <Empty icon="warn" title="Your files and all that is recorded are as they were">
              <p>It said: {visible(String(failure))}</p>
              <p>
                If it breaks again, <a href="/">begin with the sessions</a>.
              </p>
              <Button look="primary" onClick={() => location.reload()}>
                Load the page anew
              </Button>
            </Empty>
          </div>
        </Page>
      </main>
    );
  }
}
