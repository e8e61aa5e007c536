/**
 * Traces as the core sees them: the context of a trace, which travels with requests and jobs, and the port of a tracer.
 */
@NullMarked
package dev.orderly.trace;

import org.jspecify.annotations.NullMarked;
