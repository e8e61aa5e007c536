/** Files of the operating system. */
@NullMarked
package dev.orderly.file;

import org.jspecify.annotations.NullMarked;
