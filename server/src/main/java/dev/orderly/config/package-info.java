/** The configuration file: its keys, its reader, and every error that it may contain. */
@NullMarked
package dev.orderly.config;

import org.jspecify.annotations.NullMarked;
