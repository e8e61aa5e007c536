/** The assembled program: the dependencies of its parts, and their order of start and stop. */
@NullMarked
package dev.orderly.server;

import org.jspecify.annotations.NullMarked;
