/** The properties. */
@NullMarked
package dev.orderly.spring.config;

import org.jspecify.annotations.NullMarked;
