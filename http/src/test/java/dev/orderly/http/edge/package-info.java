/** Tests of the whole edge. */
@NullMarked
package dev.orderly.http.edge;

import org.jspecify.annotations.NullMarked;
