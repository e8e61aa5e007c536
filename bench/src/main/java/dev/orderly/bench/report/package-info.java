/** Tables of results. */
@NullMarked
package dev.orderly.bench.report;

import org.jspecify.annotations.NullMarked;
