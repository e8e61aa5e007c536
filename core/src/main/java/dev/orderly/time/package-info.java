/** Time as an argument: the only package that reads a clock or sleeps. */
@NullMarked
package dev.orderly.time;

import org.jspecify.annotations.NullMarked;
