/** The picture that {@code orderly top} draws. */
@NullMarked
package dev.orderly.cli.top;

import org.jspecify.annotations.NullMarked;
