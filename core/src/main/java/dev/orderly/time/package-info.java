/** Time as an argument: the only place of the program that reads a clock or sleeps. */
@NullMarked
package dev.orderly.time;

import org.jspecify.annotations.NullMarked;
