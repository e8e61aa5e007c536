/** The configuration file: what may stand in it, how it is read, and everything that can be wrong with it. */
@NullMarked
package dev.orderly.config;

import org.jspecify.annotations.NullMarked;
