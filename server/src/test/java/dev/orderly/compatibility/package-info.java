/** Data that earlier versions wrote, opened by the present code. */
@NullMarked
package dev.orderly.compatibility;

import org.jspecify.annotations.NullMarked;
