/** Completion of command lines in shells. */
@NullMarked
package dev.orderly.cli.completion;

import org.jspecify.annotations.NullMarked;
