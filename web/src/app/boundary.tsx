// Catches errors thrown while rendering: the page reports them, and the state stays in the address bar.

import { Component, type ComponentChildren } from 'preact';
import { Broken } from '../notices/notices';

interface Props {
  children: ComponentChildren;
}

export class Boundary extends Component<Props, { error: unknown }> {
  override state = { error: null as unknown };

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    return this.state.error === null ? this.props.children : <Broken error={this.state.error} />;
  }
}
