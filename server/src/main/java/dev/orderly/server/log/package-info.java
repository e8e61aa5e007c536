/** The files of the visitor log. */
@NullMarked
package dev.orderly.server.log;

import org.jspecify.annotations.NullMarked;
