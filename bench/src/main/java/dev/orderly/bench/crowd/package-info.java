/** A crowd that waits and enters over HTTP, and what it was told. */
@NullMarked
package dev.orderly.bench.crowd;

import org.jspecify.annotations.NullMarked;
