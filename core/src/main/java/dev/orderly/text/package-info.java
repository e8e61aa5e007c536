/** Text as stores keep it. */
@NullMarked
package dev.orderly.text;

import org.jspecify.annotations.NullMarked;
