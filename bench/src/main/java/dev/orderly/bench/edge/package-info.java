/** The edge under load from outside: pinned to one core, beside nginx. */
@NullMarked
package dev.orderly.bench.edge;

import org.jspecify.annotations.NullMarked;
