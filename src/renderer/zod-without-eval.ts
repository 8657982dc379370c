import { config } from 'zod';

// zod compiles its parsers with `new Function` where it can; the page's security policy forbids that and would report
// the attempt. This module must be imported before the contract's parsers are built.
config({ jitless: true });
