/** The promises of the whole program in bad weather. */
@NullMarked
package dev.orderly.server.weather;

import org.jspecify.annotations.NullMarked;
