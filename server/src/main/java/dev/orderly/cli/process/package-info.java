/** The process of a command: signals that end it, and errors after which it cannot go on. */
@NullMarked
package dev.orderly.cli.process;

import org.jspecify.annotations.NullMarked;
