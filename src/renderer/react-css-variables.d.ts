import 'react';

declare module 'react' {
  // Custom properties are valid in `style`; React's own types leave them out.
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}
