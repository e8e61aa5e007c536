/** The screen of a command: streams, tables, progress, and a screen that refreshes. */
@NullMarked
package dev.orderly.cli.terminal;

import org.jspecify.annotations.NullMarked;
